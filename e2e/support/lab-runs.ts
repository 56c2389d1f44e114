import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabEdgeName } from '../../emulation/network/edges/index.ts';
import type { Link } from '../../emulation/network/links/link.ts';
import { readDecisions } from '../../emulation/player/records/read-decisions.ts';
import type { RunRecord } from '../../emulation/player/records/run-record.ts';
import type { ViewersName } from '../../emulation/player/records/viewers.ts';
import { buildPage } from '../../emulation/player/real-time/build-page.ts';
import { startRun } from '../../emulation/player/real-time/start-run.ts';
import type { Content } from '../../media/cached-ladder.ts';
import type { CompletedDecision } from '../../src/index.ts';

/** Maximum number of attempts to calibrate the link, which fails while the machine is busy. */
const ATTEMPTS = 24;

export interface LabRun {
  readonly record: RunRecord;
  readonly decisions: readonly CompletedDecision[];
}

interface LabSettings {
  readonly seconds: number;
  readonly link: Link;
  readonly film: () => Promise<Content>;
}

/** Runs the lab's sessions behind mahimahi in a temporary folder, and passes on the valid runs. */
export async function withLabRuns(
  { seconds, link, film }: LabSettings,
  use: (run: (arm: string, edge: LabEdgeName, viewers?: ViewersName) => Promise<LabRun>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-lab-'));
  try {
    const page = join(folder, 'page');
    await buildPage(page);
    const { directory } = await film();
    const settings = { seconds, link, congestionControl: 'reno', sammy: {}, film: directory, page };
    await use(async (arm, edge, viewers = 'chromium') => {
      const outcomes: string[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const into = await mkdtemp(join(folder, `${arm}-`));
        const outcome = await startRun(
          { arm, edge, viewers, k: 1, ...settings, switch: 'mahimahi', folder: into },
          new AbortController().signal,
        );
        // Accept runs on a busy machine too, because the tests' tolerances are wide enough.
        if (outcome.kind === 'finished' || outcome.kind === 'busy') {
          const record = JSON.parse(await readFile(join(into, 'session.json'), 'utf8')) as RunRecord;
          return { record, decisions: readDecisions(into) };
        }
        outcomes.push(`${outcome.kind}: ${outcome.reason}`);
      }
      throw new Error(`no valid run of ${arm}: ${outcomes.join('; ')}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
