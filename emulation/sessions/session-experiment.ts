import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveLack } from '../../p4/switch/live/live-lack.ts';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { labEdgeNamed } from '../edges/index.ts';
import type { Condition, SessionSettings } from '../session/session-settings.ts';
import { checkLink } from '../links/check-link.ts';
import { removeStale } from '../runs/remove-stale.ts';
import { switchRates } from '../links/switch-rate.ts';
import { writeReport } from '../report/write-report.ts';
import { runPath, type Experiment, type Making, type PlannedRun, type Workshop } from '../runs/experiment.ts';
import { ensureLab } from '../setup/ensure-lab.ts';
import { buildPage } from './build-page.ts';
import { edgeOf, linksOf, planSessions, sessionOf } from './plan-sessions.ts';
import type { RunSpec } from './run-spec.ts';
import { startRun } from './start-run.ts';

/** An experiment of browser sessions, which is described by its settings alone. */
export interface SessionExperiment extends Experiment<SessionSettings> {
  readonly settings: SessionSettings;
}

/** Makes an experiment of the settings: sessions of arms under conditions, each behind a link of its own. */
export const sessionExperiment = (settings: SessionSettings): SessionExperiment => ({
  name: settings.name,
  about: settings.about,
  figure: settings.figure,
  settings,
  plan: (asked, before) => planSessions(before ?? settings, asked),
  make: makeSessions,
  report: writeReport,
});

async function makeSessions(settings: SessionSettings, workshop: Workshop): Promise<Making> {
  const { outDir, print, onClose } = workshop;
  if (process.getuid?.() !== 0) {
    throw new Error('the lab makes network namespaces and traces the kernel: run it as root, with sudo');
  }
  const edge = await labEdgeNamed(edgeOf(settings)).prepare(print);
  const links = linksOf(settings);
  const onSwitch = settings.switch === 'p4';
  await ensureLab(print, { mahimahi: !onSwitch, traces: links.some(({ rate }) => rate.kind === 'trace') });
  const lack = onSwitch ? liveLack() : undefined;
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  for (const link of links) {
    await checkLink(link);
    if (onSwitch) await switchRates(link.rate);
  }
  await removeStale();
  const film = await ensureDefaultContent({ onProgress: print });
  const page = mkdtempSync(join(tmpdir(), 'dashjs-sammy-page-'));
  onClose(() => rmSync(page, { recursive: true, force: true }));
  await buildPage(page);
  return {
    versions: { film: film.title, edge },
    run: async (run, folder, signal) =>
      startRun(await specOf(run, settings, { outDir, folder, page, film: film.directory }), signal),
  };
}

/** Builds the spec for the process of a run. */
export async function specOf(
  run: PlannedRun,
  settings: SessionSettings,
  { outDir, ...places }: Pick<RunSpec, 'folder' | 'page' | 'film'> & { readonly outDir: string },
): Promise<RunSpec> {
  const { arm, condition } = sessionOf(settings, run);
  const { neighbour } = settings;
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
    edge: edgeOf(settings),
    viewers: settings.viewers ?? 'chromium',
    congestionControl: settings.congestionControl ?? 'reno',
    sammy: condition?.sammy ?? {},
    ...(neighbour !== undefined && { neighbour }),
    ...(buffer_s !== undefined && { buffer_s }),
    ...(condition?.burst_packets !== undefined && { burst_packets: condition.burst_packets }),
    ...(history !== undefined && { history }),
  };
}

/** The throughputs that this session's viewer remembers: from the session before, or as the condition says. */
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
