import type { VirtualControl } from '../../../buffers/packets/controls/control-named.ts';
import { defineRun } from '../../harness/runs/run-program.ts';
import type { SiteHour } from './demand.ts';
import type { StackHour } from './play-stack.ts';
import type { Stack } from './sites.ts';

/** The description of an hour of a site, as plain data. */
export interface HourSpec extends SiteHour {
  readonly arm: string;
  readonly player: StackHour['player'];
  /** The site's stacks, with their buffers. */
  readonly stacks: readonly Stack[];
  readonly congestion_control: VirtualControl;
  readonly folder: string;
}

export const hourRun = defineRun<HourSpec>(new URL('run-hour.ts', import.meta.url));
