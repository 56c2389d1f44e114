import type { Options } from '../../../system/command-line/command-line.ts';
import { places } from '../../harness/runs/place.ts';
import type { Study } from '../../harness/runs/study.ts';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import { makeSimulated } from '../../player/virtual-time/make-simulated.ts';
import { planSessions } from '../../player/real-time/plan-sessions.ts';
import { conclusionLines, writeConclusion } from './conclusion.ts';
import { CONFIRM, type ConfirmationSettings } from './confirmation-settings.ts';
import { protocolHash } from './protocol.ts';
import { shortened } from './registered.ts';

const ABOUT = 'what a registered protocol says, on traces that no constant was chosen with';

const study: Study<Options, SessionSettings> = {
  ...{ name: CONFIRM, about: ABOUT, figure: 'beyond the paper', resumeCommand: 'confirm PROTOCOL' },
  options: {},
  places: places(['page', 'virtual', 'virtual']),
  record: 'session.json',
  plan(asked, before) {
    if (!before) throw new Error('confirm needs a protocol: npm run lab -- confirm PROTOCOL');
    return { ...planSessions(before, asked), overhead_s: 0 };
  },
  make: () => Promise.reject(new Error('npm run lab -- confirm PROTOCOL plays it')),
  report: writeConclusion,
  outcome: conclusionLines,
};

/** A study that plays the sessions of a protocol, and draws the conclusion by its rules. */
export const makeConfirmation = (settings: ConfirmationSettings): Study<Options, SessionSettings> => ({
  ...study,
  plan(asked, before) {
    if (before) requireSame(before, settings);
    return study.plan(asked, before ?? { ...settings, about: `${settings.about}; simulated` });
  },
  make: (planned, context) => makeSimulated(planned, { ...context, asked: { 'exact-links': true } }),
});

/** The study of a finished confirmation, for merging and reporting. */
export const finishedConfirmation = study;

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
    throw new Error('only one of the folder and this play is a rehearsal; choose another --out');
}
