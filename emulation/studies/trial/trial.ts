import { places } from '../../harness/runs/place.ts';
import { DEFAULT_SEED, type Study } from '../../harness/runs/study.ts';
import { RECORD } from './part.ts';
import { MODEL, overheadOf, partCount, partName } from './plan.ts';
import { ABOUT, settingsOf, type TrialSettings } from './settings.ts';
import { TRIAL_OPTIONS } from './trial-options.ts';
import { learnsHere, teaches } from './trial-arms.ts';
import { readTraceSet } from '../experiments/traces.ts';

/** So many at a time leave two processors about half idle: a session of 30 s takes some 4 s of one, most of it its start. */
const TCP_JOBS = 8;

/**
 * A randomized trial, blinded: days of sessions, each on a place of a trace and with a watch time of its own, and an arm by lot;
 * after each day Fugu learns from all of them, whatever the arm (Fugu §2.3.3). A part of a day is a run, and so is the model of
 * its evening, for which the next day waits.
 */
export const trial: Study<typeof TRIAL_OPTIONS, TrialSettings> = {
  ...ABOUT,
  options: TRIAL_OPTIONS,
  places: places(['model', 'virtual', 'virtual'], ['light', 'mahimahi', 'real']),
  record: RECORD,
  usualJobs: ({ backend }) => (backend === 'light' ? TCP_JOBS : 1),
  async plan(asked, before) {
    const settings = await settingsOf(asked, before, asked.seed ?? DEFAULT_SEED);
    const { arms, runs: days } = settings;
    const waits = arms.some(learnsHere);
    const runs = Array.from({ length: days }, (_, index) => index + 1).flatMap((day) => {
      const parts = Array.from({ length: partCount(settings) }, (_, part) => partName(part + 1));
      const inOrder = (stage: number) => (waits ? { stage } : {});
      return [
        ...parts.map((cell) => ({ cell, k: day, group: `${cell}/${day}`, ...inOrder(2 * day) })),
        ...(day < days && teaches(arms, day)
          ? [{ cell: MODEL, k: day, group: MODEL, ...inOrder(2 * day + 1) }]
          : []),
      ];
    });
    const units = 'in the names of the fields; stall_ratio is of the time watched';
    return { settings, runs, units, overhead_s: overheadOf(settings, await readTraceSet(settings)) };
  },
  make: async (settings, context) => (await import('./make-trial.ts')).makeTrial(settings, context),
  report: async (outDir) => (await import('./report-trial.ts')).reportTrial(outDir),
  outcome: async (outDir) => (await import('./report-trial.ts')).trialLines(outDir),
};
