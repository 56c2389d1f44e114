/**
 * A small trial for the tests of this study: three networks in a file, three days, and four arms, of which two learn in
 * the trial. The tests of the plan and of played trials call it. It plays nothing itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { StudyRequest } from '../../../harness/runs/study.ts';
import { readTraces, type TracedLink } from '../../../network/links/trace-files/read-traces.ts';
import type { TrialSettings } from '../settings.ts';
import { trial } from '../trial.ts';
import type { TRIAL_OPTIONS } from '../trial-options.ts';

export type TrialRequest = StudyRequest<typeof TRIAL_OPTIONS>;

/** The model that Fugu's arms have on the first day. */
export const MODEL = fileURLToPath(new URL('../../../../models/fugu-ttp.bin', import.meta.url));

export const SMALL_TRIAL: TrialRequest = {
  ...{ days: 3, 'sessions-per-day': 24, seconds: 40, seed: 3, epochs: 1 },
  arms: ['dashjs', 'fugu', 'fugu-in-situ', 'fugu-frozen'],
};

/** The files and the plan of the small trial. Complete when the tests begin. */
interface SmallTrial {
  /** A temporary folder, deleted after the tests. */
  readonly folder: string;
  /** The path of the file with the networks. */
  readonly traces: string;
  readonly networks: TracedLink[];
  readonly settings: TrialSettings;
  /** Returns the settings with other options. */
  readonly plan: (asked?: TrialRequest) => Promise<TrialSettings>;
}

/** Registers the hooks that make and delete the files of the small trial. */
export function setUpSmallTrial(): SmallTrial {
  let folder = '';
  let traces = '';
  let networks: TracedLink[] = [];
  let settings: TrialSettings;
  const plan = async (asked: TrialRequest = {}) =>
    (await trial.plan({ ...SMALL_TRIAL, traces, ...asked })).settings;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trial-'));
    traces = join(folder, 'traces.jsonl');
    // Each network alternates between 7 s at a rate and 5 s at a third of the rate.
    const lines = [800, 2000, 6000].map((kbps, index) => ({
      name: `network-${index}`,
      periods: [
        [7000, kbps, 40],
        [5000, kbps / 3, 40],
      ],
    }));
    writeFileSync(traces, lines.map((line) => JSON.stringify(line)).join('\n'));
    networks = await readTraces(traces);
    settings = await plan();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
    get folder() {
      return folder;
    },
    get traces() {
      return traces;
    },
    get networks() {
      return networks;
    },
    get settings() {
      return settings;
    },
    plan,
  };
}
