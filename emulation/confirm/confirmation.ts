import type { Experiment } from '../runs/experiment.ts';
import type { SessionSettings } from '../session/session-settings.ts';
import { simulatedExperiment } from '../simulate/runs/simulated-experiment.ts';
import { planSessions } from '../sessions/plan-sessions.ts';
import { writeConclusion } from './conclusion.ts';
import { CONFIRM, type ConfirmationSettings } from './confirmation-settings.ts';
import { protocolHash } from './protocol.ts';
import { shortened } from './registered.ts';

const ABOUT = 'what a registered protocol says, on traces that no constant was chosen with';

/** Plays what a protocol plans, and concludes by it. */
export function confirmationOf(settings: ConfirmationSettings, jobs: number): Experiment<SessionSettings> {
  const { protocol } = settings;
  const own = simulatedExperiment(settings, { jobs, seed: protocol.places.seed, asLab: false });
  return {
    ...own,
    plan(asked, before) {
      if (before) requireSame(before, settings);
      return own.plan(asked, before);
    },
    report: writeConclusion,
  };
}

/** A confirmation that is in a folder, to be merged or told again. */
export const finishedConfirmation: Experiment<SessionSettings> = {
  ...{ name: CONFIRM, about: ABOUT, figure: 'beyond the paper', goesOnBy: 'confirm PROTOCOL' },
  plan(asked, before) {
    if (!before) throw new Error('confirm: which protocol? npm run lab -- confirm PROTOCOL');
    return { ...planSessions(before, asked), overhead_s: 0 };
  },
  make: () => Promise.reject(new Error('npm run lab -- confirm PROTOCOL plays it')),
  report: writeConclusion,
};

function requireSame(
  before: SessionSettings & Partial<ConfirmationSettings>,
  now: ConfirmationSettings,
): void {
  const [was, is] = [before.protocol, now.protocol].map((each) => each && protocolHash(each));
  if (was !== is)
    throw new Error(
      `the folder has sessions of protocol ${was === undefined ? 'none' : shortened(was)}, and this is ${shortened(is ?? '')}; choose another --out`,
    );
  if (before.rehearsal !== now.rehearsal)
    throw new Error('the folder has a rehearsal, or this is one and that is not; choose another --out');
}
