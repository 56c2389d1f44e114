import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { readManifest } from '../../../harness/runs/manifest.ts';
import { checkBufferVideoSettings } from '../settings.ts';

/** Reads the hours that are in `outDir`, all or some, and writes `summary.json` and `report.html`. */
export function writeBufferVideoReport(outDir: string): void {
  const manifest = readManifest(outDir, checkBufferVideoSettings);
  replaceFiles(outDir, { 'summary.json': asJson(manifest), 'report.html': '' });
}
