import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';
import { measurementNamed } from './measurements/index.ts';
import { seedRun, VALUES_FILE } from './seed-run.ts';

serveRun(seedRun, async ({ measurement, seed, quick, folder: outDir }, closing) => {
  const folder = join(outDir, 'raw');
  mkdirSync(folder);
  const values = await closing.until(async (signal) =>
    measurementNamed(measurement).measure({ seed, quick, folder, signal }),
  );
  rmSync(folder, { recursive: true, force: true });
  replaceFiles(outDir, { [VALUES_FILE]: asJson(values) });
  return { kind: 'finished' };
});
