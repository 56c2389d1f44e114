/** The package's entry `dashjs-sammy/experiment`: assigns units to arms, and lets a page read and report the assignment. */
export { assign } from './assign.ts';
export type { Assignment, Beginning } from './assign.ts';
export { bucketOf } from './bucket.ts';
export type { Arm, ArmOptions, Design, Experiment } from './experiment.ts';
export { readExperiments } from './read-experiments.ts';
export { readAssignment } from './told-assignment.ts';
export type { ToldAssignment } from './told-assignment.ts';
export { reportSessions } from '../host/browser/report-sessions.ts';
export type { ReportOptions } from '../host/browser/report-sessions.ts';
export { milliseconds } from '../units.ts';
export type { AbrName } from '../abr/algorithms.ts';
export type { Milliseconds } from '../units.ts';
