import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson } from '../../../system/replace-files.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';
import { calibratePath } from './calibrate-path.ts';
import { calibrationRun } from './run-spec.ts';

serveRun(calibrationRun, async (spec) => {
  writeFileSync(join(spec.folder, 'result.json'), asJson(await calibratePath(spec)));
  return { kind: 'finished' };
});
