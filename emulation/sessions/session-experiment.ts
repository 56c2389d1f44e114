import type { Asked, Experiment, Plan } from '../runs/experiment.ts';
import type { SessionSettings } from '../session/session-settings.ts';
import { planSessions } from './plan-sessions.ts';

/** An experiment of browser sessions, which is described by its settings alone. */
export interface SessionExperiment extends Experiment<SessionSettings> {
  readonly settings: SessionSettings;
  plan(asked: Asked, before?: SessionSettings): Plan<SessionSettings>;
}

/**
 * Makes an experiment of the settings: sessions of arms under conditions, each behind a link of its own. What makes and
 * what draws them is loaded when it is asked for it: who only lists experiments needs neither a browser nor a chart.
 */
export const sessionExperiment = (settings: SessionSettings): SessionExperiment => ({
  name: settings.name,
  about: settings.about,
  figure: settings.figure,
  settings,
  plan: (asked, before) => planSessions(before ?? settings, asked),
  make: async (planned, workshop) => (await import('./make-sessions.ts')).makeSessions(planned, workshop),
  report: async (outDir) => (await import('../report/write-report.ts')).writeReport(outDir),
});
