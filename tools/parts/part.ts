import type { Stage } from '../testing/run-stages.ts';

/** A part of `npm run test:all`: it runs in a process group of its own, which is ended at the deadline. */
export interface Part {
  /** Unique, as in `--part NAME`. */
  readonly name: string;
  readonly about: string;
  /** Minutes after which the part counts as hanging, on two cores that other work may share. */
  readonly deadline_min: number;
  /** The long test files that it runs: those whose paths contain one of these. */
  readonly files?: readonly string[];
  /** Whether it needs neither the built plug-in nor tools that others install: then it starts at once if it is run alone. */
  readonly needsNoSetup?: true;
  stages(): Promise<readonly Stage[]> | readonly Stage[];
}
