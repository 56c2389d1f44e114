/** The package's entry `dashjs-sammy/experiment`: assigns units to arms, and lets a page read and report the assignment. */
export { assign } from './assign.ts';
export type { Assignment, SessionStart } from './assign.ts';
export { getBucket } from './bucket.ts';
export type { Arm, ArmOptions, Design, Experiment } from './experiment.ts';
export { readExperiments } from './read-experiments.ts';
export { readAssignment } from './reported-assignment.ts';
export type { ReportedAssignment } from './reported-assignment.ts';
export { reportSessions } from '../host/browser/report-sessions.ts';
export type { ReportOptions } from '../host/browser/report-sessions.ts';
export { milliseconds } from '../units.ts';
export type { AbrName } from '../abr/algorithms.ts';
export type { Milliseconds } from '../units.ts';
