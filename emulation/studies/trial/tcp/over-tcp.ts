import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { inProcess } from '../../../harness/runs/in-process.ts';
import { ENDED_EARLY, type RunOutcome } from '../../../harness/runs/study.ts';
import { RECORD, type TrialSetup, type Part, type PlayPart } from '../part.ts';
import { trialSessionRun, type SessionRecord, type SessionSpec } from './session-spec.ts';

/** Makes one session. A session that `signal` ends early counts as failed, for that reason. */
export type PlayOne = (spec: SessionSpec, signal: AbortSignal) => Promise<RunOutcome>;

/** The time that a session may take in addition to its length, s. */
const PATIENCE_S = 120;

export const inItsProcess: PlayOne = (spec, signal) =>
  inProcess(trialSessionRun, spec, {
    within_s: Math.ceil(spec.session.watch_s) + PATIENCE_S,
    signal,
  });

/**
 * The approximate time for which a session's start occupies two processors, which would delay the wake-ups of other
 * sessions.
 */
const START_MS = 2000;

/** Wraps `playOne` so that the starts of sessions are at least `apart_ms` apart. */
export function spaceStarts(playOne: PlayOne, apart_ms: number): PlayOne {
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

/**
 * Plays parts with viewers without a browser over the kernel's TCP. Each session is a part, in its own process and on
 * its own link.
 */
export const overTcp =
  (course: TrialSetup, playOne: PlayOne = spaceStarts(inItsProcess, START_MS)): PlayPart =>
  (part, folder, signal) =>
    playOne(makeSpec(course, part, folder), signal);

/** Discards a session for which the machine was busy in every attempt: deletes its tables, and records the reason. */
export function discardSession(folder: string, reason: string): void {
  const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as SessionRecord;
  for (const name of readdirSync(folder)) if (name !== RECORD) rmSync(join(folder, name));
  replaceFiles(folder, { [RECORD]: asJson({ ...record, left_out: reason }) });
}

function makeSpec(
  { networks, ...course }: TrialSetup,
  { sessions, arms }: Part,
  folder: string,
): SessionSpec {
  const [drawn] = sessions;
  const traced = networks[drawn?.network ?? NaN];
  const arm = arms.find(({ code }) => code === drawn?.code);
  if (!drawn || !traced || !arm) throw new Error('the part has no session with its networks and arms');
  const { code: _, ...session } = drawn;
  return { course, traced, session, arm, folder };
}
