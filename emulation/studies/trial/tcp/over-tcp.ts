import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { inProcess } from '../../../harness/runs/in-process.ts';
import { ENDED_EARLY, type RunOutcome } from '../../../harness/runs/study.ts';
import { RECORD, type Course, type Part, type PlayPart } from '../part.ts';
import { trialSessionRun, type SessionRecord, type SessionSpec } from './session-spec.ts';

/** Makes one session; one that was ended early has failed for this reason. */
export type PlayOne = (spec: SessionSpec, signal: AbortSignal) => Promise<RunOutcome>;

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
export const overTcp =
  (course: Course, playOne: PlayOne = apart(inItsProcess, START_MS)): PlayPart =>
  (part, folder, signal) =>
    playOne(specOf(course, part, folder), signal);

/** Of a session that was always played on a busy machine: removes its tables, and says why in its record. */
export function leaveOut(folder: string, reason: string): void {
  const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as SessionRecord;
  for (const name of readdirSync(folder)) if (name !== RECORD) rmSync(join(folder, name));
  replaceFiles(folder, { [RECORD]: asJson({ ...record, left_out: reason }) });
}

function specOf({ networks, ...course }: Course, { sessions, arms }: Part, folder: string): SessionSpec {
  const [drawn] = sessions;
  const traced = networks[drawn?.network ?? NaN];
  const arm = arms.find(({ code }) => code === drawn?.code);
  if (!drawn || !traced || !arm) throw new Error('a part without a session of its networks and arms');
  const { code: _, ...session } = drawn;
  return { course, traced, session, arm, folder };
}
