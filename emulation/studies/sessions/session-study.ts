import { places } from '../../harness/runs/place.ts';
import type { Plan, Study } from '../../harness/runs/study.ts';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import { planSessions, type SessionsRequest } from '../../player/real-time/plan-sessions.ts';
import { SESSION_OPTIONS } from '../../player/real-time/session-options.ts';

/** A study of sessions that is defined by its settings alone. */
export interface SessionStudy extends Study<typeof SESSION_OPTIONS, SessionSettings> {
  readonly settings: SessionSettings;
  plan(asked: SessionsRequest, before?: SessionSettings): Plan<SessionSettings>;
}

const PLACES = places(
  ['chromium', 'mahimahi', 'real'],
  ['chromium', 'p4', 'real'],
  ['page', 'mahimahi', 'real'],
  ['page', 'p4', 'real'],
  ['page', 'p4', 'virtual'],
  ['light', 'mahimahi', 'real'],
  ['light', 'p4', 'real'],
  ['light', 'p4', 'virtual'],
  ['model', 'virtual', 'virtual'],
  ['page', 'virtual', 'virtual'],
);

/** Marks the settings of sessions in virtual time. */
const SIMULATED = '; simulated';

/**
 * Makes a study from settings: sessions of arms under conditions, each on its own link. The code that makes and reports
 * runs is loaded on demand, because listing studies needs neither a browser nor a chart.
 */
export const sessionStudy = (settings: SessionSettings): SessionStudy => ({
  name: settings.name,
  about: settings.about,
  figure: settings.figure,
  options: SESSION_OPTIONS,
  places: PLACES,
  record: 'session.json',
  settings,
  plan(asked, before) {
    if (asked.place?.link !== 'virtual') return planSessions(before ?? settings, asked);
    const own = { ...settings, about: `${settings.about}${SIMULATED}` };
    return { ...planSessions(before ?? own, asked), overhead_s: 0 };
  },
  make: async (planned, context) =>
    context.place.link === 'virtual'
      ? (await import('../../player/virtual-time/make-simulated.ts')).makeSimulated(planned, context)
      : (await import('../../player/real-time/make-sessions.ts')).makeSessions(planned, context),
  loadReport: () => import('../report/write-report.ts'),
  report: async (outDir) => (await import('../report/write-report.ts')).writeReport(outDir),
  outcome: async (outDir) => (await import('../report/write-report.ts')).answerLines(outDir),
});
