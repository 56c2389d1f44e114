import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { OnProgress } from '../../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { requireFreeSpace } from '../../../ground/files/free-space.ts';
import { ENDED_EARLY, type RunOutcome } from '../../../harness/runs/study.ts';
import { inProcess } from '../../../harness/runs/in-process.ts';
import { makeRun } from '../../../harness/runs/make-run.ts';
import type { Carrier } from '../carrier.ts';
import type { Course, Part } from '../trial-player.ts';
import { RECORD, trialSessionRun, type SessionRecord, type SessionSpec } from './session-spec.ts';

/** Makes one session; one that was ended early has failed for this reason. */
export type PlayOne = (spec: SessionSpec, signal: AbortSignal) => Promise<RunOutcome>;

interface Options {
  readonly print: OnProgress;
  readonly playOne?: PlayOne;
}

/** About what a session takes beside its watch time, while others are played: its processes, link and tables. */
const BESIDES_S = 4;
/** The time that a session may take beyond its length. */
const PATIENCE_S = 120;

export const inItsProcess: PlayOne = (spec, signal) =>
  inProcess(trialSessionRun, spec, {
    within_s: Math.ceil(spec.session.watch_s) + PATIENCE_S,
    signal,
  });

/** About what a session's start takes of two processors, during which another's wake-ups would be late. */
const START_MS = 2000;

/** The same, but a session begins no sooner than `apart_ms` after the one before it. */
export function apart(playOne: PlayOne, apart_ms: number): PlayOne {
  let free_ms = 0;
  return async (spec, signal) => {
    const begins_ms = Math.max(free_ms, performance.now());
    free_ms = begins_ms + apart_ms;
    try {
      await setTimeout(begins_ms - performance.now(), undefined, { signal });
    } catch {
      return { kind: 'failed', reason: ENDED_EARLY };
    }
    return playOne(spec, signal);
  };
}

/** Light viewers over the kernel's TCP: each session is a part, and has a process and a link of its own. */
export const overTcp = ({ print, playOne = apart(inItsProcess, START_MS) }: Options): Carrier => ({
  sessionsOfAPart: 1,
  besides_s: BESIDES_S,
  open: (course) =>
    Promise.resolve({
      write: (part, signal) => writePart(course, part, { print, playOne }, signal),
      close: () => undefined,
    }),
});

/**
 * Plays the part's session, and again where the machine was busy. The last time it is kept without tables, and `session.json`
 * says why.
 */
async function writePart(
  course: Course,
  part: Part,
  { print, playOne }: Required<Options>,
  signal: AbortSignal,
): Promise<void> {
  const repeated: string[] = [];
  const name = `session ${part.sessions[0]?.id}`;
  await makeRun(
    {
      name,
      target: part.folder,
      async begin() {
        await requireFreeSpace(dirname(part.folder));
        return `${part.folder}.tmp`;
      },
      make: (folder, stop) => playOne(specOf(course, part, folder, repeated), stop),
      onRepeat(reason) {
        repeated.push(reason);
        print({ task: `Again: ${name}: ${reason}`, lasting: true });
      },
      onKeptBusy: leaveOut,
    },
    signal,
  );
}

/** Removes the session's tables, and says why in its record. */
function leaveOut(folder: string, reason: string): void {
  const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as SessionRecord;
  for (const name of readdirSync(folder)) if (name !== RECORD) rmSync(join(folder, name));
  replaceFiles(folder, { [RECORD]: asJson({ ...record, left_out: reason }) });
}

function specOf(
  { networks, ...course }: Course,
  { sessions, arms }: Part,
  folder: string,
  repeated: readonly string[],
): SessionSpec {
  const [drawn] = sessions;
  const traced = networks[drawn?.network ?? NaN];
  const arm = arms.find(({ code }) => code === drawn?.code);
  if (!drawn || !traced || !arm) throw new Error('a part without a session of its networks and arms');
  const { code: _, ...session } = drawn;
  return { course, traced, session, arm, repeated: [...repeated], folder };
}
