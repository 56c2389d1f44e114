import { places } from '../../harness/runs/place.ts';
import { DEFAULT_SEED, type Study } from '../../harness/runs/study.ts';
import { RECORD } from './part.ts';
import { MODEL, estimateOverhead_s, partCount, partName } from './plan.ts';
import { ABOUT, readSettings, type TrialSettings } from './settings.ts';
import { TRIAL_OPTIONS } from './trial-options.ts';
import { learnsInTrial, trainsOn } from './trial-arms.ts';
import { readTraceSet } from '../sessions/traces.ts';

/**
 * The default number of parallel sessions. A session of 30 s needs about 4 s of one processor, mostly for its start, so
 * eight sessions use 8 x 4 / 30 = 1.1 processors, about half of two.
 */
const TCP_JOBS = 8;

/**
 * A randomized trial, blinded: each day has sessions with a random position in a trace, a random watch time, and a
 * random arm. After each day, Fugu learns from the sessions of all arms (Fugu §2.3.3). Each part of a day is a run. The
 * model of an evening is a run, too, and the next day begins when it is finished.
 */
export const trial: Study<typeof TRIAL_OPTIONS, TrialSettings> = {
  ...ABOUT,
  options: TRIAL_OPTIONS,
  places: places(['model', 'virtual', 'virtual'], ['light', 'mahimahi', 'real']),
  record: RECORD,
  usualJobs: ({ backend }) => (backend === 'light' ? TCP_JOBS : 1),
  async plan(asked, before) {
    const settings = await readSettings(asked, before, asked.seed ?? DEFAULT_SEED);
    const { arms, runs: days } = settings;
    const waits = arms.some(learnsInTrial);
    const runs = Array.from({ length: days }, (_, index) => index + 1).flatMap((day) => {
      const parts = Array.from({ length: partCount(settings) }, (_, part) => partName(part + 1));
      const inOrder = (stage: number) => (waits ? { stage } : {});
      return [
        ...parts.map((cell) => ({ cell, k: day, group: `${cell}/${day}`, ...inOrder(2 * day) })),
        ...(day < days && trainsOn(arms, day)
          ? [{ cell: MODEL, k: day, group: MODEL, ...inOrder(2 * day + 1) }]
          : []),
      ];
    });
    const units = 'in the names of the fields; stall_ratio is of the time watched';
    return { settings, runs, units, overhead_s: estimateOverhead_s(settings, await readTraceSet(settings)) };
  },
  make: async (settings, context) => (await import('./make-trial.ts')).makeTrial(settings, context),
  loadReport: () => import('./report-trial.ts'),
  report: async (outDir) => (await import('./report-trial.ts')).reportTrial(outDir),
  outcome: async (outDir) => (await import('./report-trial.ts')).trialLines(outDir),
};
