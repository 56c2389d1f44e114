import { asFields, asNumber } from '../../report/check.ts';
import type { Asked, Plan, Settings } from '../../runs/experiment.ts';
import { checkAnySettings } from '../../runs/manifest.ts';
import { linkSize, type LinkSize } from '../link-size.ts';
import { cellName, type Cell } from './cell.ts';
import { UNITS, comparisons } from './comparison.ts';

export type Form = 'quick' | 'full';

export interface AllocationSettings extends Settings, LinkSize {
  readonly form: Form;
  /** The time of each run that is start-up, and not counted, s. */
  readonly from_s: number;
}

/** 139 packets of 1514 bytes between them: 10 Gbit/s and 1 ms of 9000-byte packets, as in the paper's lab (§3). */
const LINK = { rate_mbps: 40, rtt_ms: 42 };
/** s. BBR needs tens of seconds to share with Cubic, since it probes for the minimum RTT every 10 s. */
const FORMS = {
  quick: { runs: 1, from_s: 5, seconds: 33 },
  full: { runs: 3, from_s: 12, seconds: 72 },
} as const;
/** Of the ten units: both ends, both minorities of one, and the middle; or all. */
const ALLOCATIONS: Readonly<Record<Form, readonly number[]>> = {
  quick: [0, 1, 5, 9, 10],
  full: Array.from({ length: UNITS + 1 }, (_, treated) => treated),
};
/** The time to start the switch and the programs, and to join the records, s. */
const OVERHEAD_S = 6;

/** Plans the cells of the comparisons asked for. Throws an Error for a comparison that there is not. */
export function planAllocations(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: Asked,
  before?: AllocationSettings,
): Plan<AllocationSettings> {
  const form = asked.quick === true ? 'quick' : (before?.form ?? 'full');
  const settings: AllocationSettings = {
    ...about,
    form,
    runs: asked.runs ?? before?.runs ?? FORMS[form].runs,
    seconds: asked.seconds ?? before?.seconds ?? FORMS[form].seconds,
    from_s: before?.from_s ?? Math.min(FORMS[form].from_s, (asked.seconds ?? Infinity) / 2),
    ...linkSize(asked, before, LINK),
  };
  const cells = cellsOf(settings, asked.conditions);
  return {
    settings,
    runs: Array.from({ length: settings.runs }, (_, index) => index + 1).flatMap((k) =>
      cells.map((cell) => ({ cell: cellName(cell), k, group: `${cell.comparison.name}/${k}` })),
    ),
    record: 'result.json',
    units: 'in the names of the fields',
    overhead_s: OVERHEAD_S,
  };
}

/** The cells of these comparisons, or of all, in the order of the figures. */
export function cellsOf({ form }: Pick<AllocationSettings, 'form'>, names?: readonly string[]): Cell[] {
  const known = comparisons.map(({ name }) => name);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no condition '${unknown}'; there are ${known.join(', ')}`);
  return comparisons
    .filter(({ name }) => names?.includes(name) ?? true)
    .flatMap((comparison) => ALLOCATIONS[form].map((treated) => ({ comparison, treated })));
}

export function checkAllocationSettings(value: unknown): AllocationSettings {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const field of ['rate_bit_s', 'base_rtt_ms', 'bdp_packets', 'from_s'])
    asNumber(settings[field], `experiment: ${field}`);
  return value as AllocationSettings;
}
