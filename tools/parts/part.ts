import type { Stage } from '../testing/run-stages.ts';

/** A part of `npm run test:all`. It runs in its own process group, which is ended at the deadline. */
export interface Part {
  /** A unique name, for `--part NAME`. */
  readonly name: string;
  readonly about: string;
  /** Minutes after which the part counts as hanging, on two cores that other work may share. */
  readonly deadline_min: number;
  /** The long test files that the part runs: those whose paths contain one of these strings. */
  readonly files?: readonly string[];
  /**
   * Whether the part needs neither the built plug-in nor installed tools. If it runs alone, it then starts immediately.
   */
  readonly needsNoSetup?: true;
  stages(): Promise<readonly Stage[]> | readonly Stage[];
}
