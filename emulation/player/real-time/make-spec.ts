import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPath, type PlannedRun } from '../../harness/runs/study.ts';
import type { Condition, SessionSettings } from '../records/session-settings.ts';
import { getEdgeName, findSession } from './plan-sessions.ts';
import type { RunSpec } from './run-spec.ts';

/** Builds the spec for the process of a run. */
export async function makeSpec(
  run: PlannedRun,
  settings: SessionSettings,
  { outDir, ...places }: Pick<RunSpec, 'folder' | 'page' | 'film'> & { readonly outDir: string },
): Promise<RunSpec> {
  const { arm, condition } = findSession(settings, run);
  const neighbor = condition?.neighbor ?? settings.neighbor;
  const buffer_s = condition?.buffer_s ?? settings.buffer_s;
  const history = await historyFor(run, condition, outDir);
  const tuned = settings.tuned?.find(({ name }) => name === arm);
  return {
    arm,
    ...(tuned && { tuned }),
    k: run.k,
    ...places,
    ...(condition && { condition: condition.name }),
    seconds: settings.seconds,
    link: condition?.link ?? settings.link,
    switch: settings.switch ?? 'mahimahi',
    edge: getEdgeName(settings),
    viewers: settings.viewers ?? 'chromium',
    congestionControl: settings.congestionControl ?? 'reno',
    sammy: condition?.sammy ?? {},
    ...(neighbor !== undefined && { neighbor }),
    ...(buffer_s !== undefined && { buffer_s }),
    ...(condition?.burst_packets !== undefined && { burst_packets: condition.burst_packets }),
    ...(history !== undefined && { history }),
  };
}

/** The throughputs that this session's viewer remembers from the previous session, or as the condition defines. */
async function historyFor(
  { cell, k }: PlannedRun,
  condition: Condition | undefined,
  outDir: string,
): Promise<number[] | undefined> {
  if (condition?.remembered_kbps !== undefined) return [condition.remembered_kbps];
  if (condition?.history === undefined) return undefined;
  const { begins_kbps } = condition.history;
  if (k === 1) return begins_kbps === null ? undefined : [begins_kbps];
  const before = join(outDir, ...runPath({ cell, k: k - 1 }), 'history.json');
  if (!existsSync(before))
    throw new Error(`${cell}/${k} remembers ${cell}/${k - 1}, which is missing: ${before}`);
  return (JSON.parse(await readFile(before, 'utf8')) as { sessions_kbps: number[] }).sessions_kbps;
}
