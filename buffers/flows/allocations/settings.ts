import type { StudyRequest, Plan, Settings } from '../../../emulation/harness/runs/study.ts';
import { checkLinkSettings, linkSize } from '../link-size.ts';
import { MOST_BURST } from '../../traffic/traffic.ts';
import type { KernelName } from '../../packets/kernel-rules.ts';
import { VIRTUAL_PACKET_BYTES } from '../../packets/simulate-flows.ts';
import { cellName, type AllocationLink, type Cell, type DropAt } from './cell.ts';
import { UNITS, comparisons } from './comparison.ts';
import type { ALLOCATION_OPTIONS } from './options.ts';

export type Form = 'quick' | 'full';

type AllocationValues = StudyRequest<typeof ALLOCATION_OPTIONS>;

/** The Linux version of the senders in Unbiased Experiments in Congested Networks. */
const DEFAULT_RULES: KernelName = '5.5';

export interface AllocationSettings extends Settings, AllocationLink {
  readonly form: Form;
  /** Seconds of start-up at the beginning of each run, which are not counted. */
  readonly from_s: number;
  /**
   * The Linux version whose rules the simulated senders follow. Absent for runs on the live switch with this machine's
   * kernel.
   */
  readonly kernel?: KernelName | undefined;
}

/**
 * A scaled-down link whose bandwidth-delay product is 139 packets of 1514 bytes, as many packets as in the lab of
 * Unbiased Experiments in Congested Networks §3, which has 10 Gbit/s, 1 ms and packets of 9000 bytes.
 */
const LINK = { rate_mbps: 40, rtt_ms: 42 };
/**
 * The paper's lab drops in egress, as a packet leaves, while the queue is above a threshold. Source: the authors' P4
 * program for that lab, github.com/brucespang/ifip21-buffer-sizing, and its notes.
 */
const DROP_AT: DropAt = 'front';
const BURST_PACKETS = 1;
/** Maximum packets that segmentation offload sends at once: 64 kB. */
const MOST_VIRTUAL_BURST = Math.floor(65_536 / VIRTUAL_PACKET_BYTES);
/**
 * Runs in virtual time use the paper's own link, and senders with bursts of up to 64 kB (§3). With its round trip of 1
 * ms, thousands of round trips take only seconds.
 */
const VIRTUAL = {
  link: { rate_mbps: 10_000, rtt_ms: 1, packet_bytes: VIRTUAL_PACKET_BYTES },
  burst_packets: MOST_VIRTUAL_BURST,
  forms: { quick: { runs: 1, from_s: 1, seconds: 7 }, full: { runs: 5, from_s: 1, seconds: 13 } },
} as const;
/**
 * Number and duration in seconds of live runs. BBR needs tens of seconds to share with Cubic, because it probes for the
 * minimum RTT every 10 s. The full form measures ten minutes at each allocation: in the quick form's 28 s, chance moves
 * the +100% of two connections by 24 to 47 points (docs/results/log/ab-lab.md).
 */
const FORMS = {
  quick: { runs: 1, from_s: 5, seconds: 33 },
  full: { runs: 10, from_s: 12, seconds: 72 },
} as const;
/**
 * Numbers of treated units, out of ten. The quick form has none, one, half, all but one, and all; the full form has
 * every number.
 */
const ALLOCATIONS: Readonly<Record<Form, readonly number[]>> = {
  quick: [0, 1, 5, 9, 10],
  full: Array.from({ length: UNITS + 1 }, (_, treated) => treated),
};
/**
 * Maximum buffer in bandwidth-delay products: 20 × 139 = 2780 packets, which is far more than any congestion control
 * here keeps in flight.
 */
const MOST_BUFFER_BDP = 20;
/** Seconds to start the switch and the programs, and to join the records. */
const OVERHEAD_S = 6;

/** Plans the cells of the requested comparisons. Throws an Error for an unknown comparison. */
export function planAllocations(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: AllocationValues,
  before?: AllocationSettings,
): Plan<AllocationSettings> {
  const form = asked.quick === true ? 'quick' : (before?.form ?? 'full');
  const kernel = kernelRules(asked, before);
  const own = (kernel === undefined ? FORMS : VIRTUAL.forms)[form];
  const settings: AllocationSettings = {
    ...about,
    form,
    runs: asked.runs ?? before?.runs ?? own.runs,
    seconds: asked.seconds ?? before?.seconds ?? own.seconds,
    from_s: before?.from_s ?? Math.min(own.from_s, (asked.seconds ?? Infinity) / 2),
    kernel,
    drop_at: asked['drop-at'] ?? before?.drop_at ?? DROP_AT,
    burst_packets:
      asked.burst ?? before?.burst_packets ?? (kernel === undefined ? BURST_PACKETS : VIRTUAL.burst_packets),
    buffer_bdp: asked.buffer === undefined ? before?.buffer_bdp : parseBuffer(asked.buffer),
    ...linkSize(asked, before, kernel === undefined ? LINK : VIRTUAL.link),
  };
  const [most, which] =
    kernel === undefined ? [MOST_BURST, ''] : [MOST_VIRTUAL_BURST, ' with --backend model'];
  if (settings.burst_packets > most)
    throw new Error(`--burst is ${settings.burst_packets}, expected 1 to ${most} packets${which}`);
  const cells = plannedCells(settings, asked.conditions);
  return {
    settings,
    runs: Array.from({ length: settings.runs }, (_, index) => index + 1).flatMap((k) =>
      cells.map((cell) => ({ cell: cellName(cell), k, group: `${cell.comparison.name}/${k}` })),
    ),
    units: 'in the names of the fields',
    overhead_s: kernel === undefined ? OVERHEAD_S : 0,
  };
}

/**
 * Returns the Linux version whose rules the simulated senders follow; undefined for a run with this machine's kernel.
 */
function kernelRules(
  { place, rules }: AllocationValues,
  before: AllocationSettings | undefined,
): KernelName | undefined {
  if (place === undefined) return rules ?? before?.kernel;
  if (place.backend === 'model') return rules ?? before?.kernel ?? DEFAULT_RULES;
  if (rules !== undefined) throw new Error("--rules is of --backend model; a real sender's are its kernel's");
  return undefined;
}

function parseBuffer(text: string): number {
  const bdp = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || bdp === 0 || bdp > MOST_BUFFER_BDP)
    throw new Error(
      `--buffer is '${text}', expected bandwidth-delay products above 0, up to ${MOST_BUFFER_BDP}`,
    );
  return bdp;
}

/** Returns the cells of the named comparisons, by default of all comparisons, in the order of the figures. */
export function plannedCells({ form }: Pick<AllocationSettings, 'form'>, names?: readonly string[]): Cell[] {
  const known = comparisons.map(({ name }) => name);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no condition '${unknown}'; there are ${known.join(', ')}`);
  return comparisons
    .filter(({ name }) => names?.includes(name) ?? true)
    .flatMap((comparison) => ALLOCATIONS[form].map((treated) => ({ comparison, treated })));
}

export const checkAllocationSettings = (value: unknown): AllocationSettings =>
  checkLinkSettings<AllocationSettings>(value, ['from_s']);
