import { defineRun } from '../../harness/runs/run-program.ts';
import type { Link } from '../../network/links/link.ts';
import type { PantheonCell } from './settings.ts';

/** A run of a scheme's flows on a path, as plain data. */
export interface PantheonSpec {
  readonly cell: PantheonCell;
  readonly k: number;
  readonly link: Link;
  readonly seconds: number;
  readonly from_s: number;
  readonly seed: number;
  /** The paths of the programs, by name. */
  readonly programs: Readonly<Record<string, string>>;
  /** The kernel's names of the congestion controls, by name. */
  readonly controls: Readonly<Record<string, string>>;
  /** The folder for the run's files. */
  readonly folder: string;
}

export const pantheonRun = defineRun<PantheonSpec>(new URL('run-live.ts', import.meta.url));
