import { asFields, asNumber } from '../../emulation/ground/files/check.ts';
import type { Settings } from '../../emulation/harness/runs/study.ts';
import { checkAnySettings } from '../../emulation/harness/runs/manifest.ts';

/** A bottleneck of the P4 switch and its bandwidth-delay product. */
export interface LinkSize {
  readonly rate_bit_s: number;
  readonly base_rtt_ms: number;
  readonly bdp_packets: number;
}

/** The size that the switch counts for an Ethernet frame with 1500 bytes of IP. */
const FRAME_BYTES = 1514;

/**
 * Returns the requested bottleneck. By default it is the bottleneck of the resumed folder or, for a new folder, the
 * experiment's default. Throws a one-line Error for a rate or round trip that no flow could use.
 */
export function linkSize(
  asked: { readonly rate?: string | undefined; readonly rtt?: number | undefined },
  before: LinkSize | undefined,
  own: { readonly rate_mbps: number; readonly rtt_ms: number; readonly packet_bytes?: number },
): LinkSize {
  const rate_bit_s =
    asked.rate === undefined ? (before?.rate_bit_s ?? own.rate_mbps * 1e6) : parseRate(asked.rate);
  const { packet_bytes = FRAME_BYTES } = own;
  const base_rtt_ms = asked.rtt ?? before?.base_rtt_ms ?? own.rtt_ms;
  if (base_rtt_ms < 1) throw new Error(`--rtt is ${base_rtt_ms}, expected ms from 1 on`);
  return { rate_bit_s, base_rtt_ms, bdp_packets: (rate_bit_s * base_rtt_ms) / 1000 / 8 / packet_bytes };
}

/** Checks the settings of an experiment of flows: the link and the experiment's other numbers. */
export function checkLinkSettings<Has extends Settings & LinkSize>(
  value: unknown,
  others: readonly (keyof Has & string)[] = [],
): Has {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const field of ['rate_bit_s', 'base_rtt_ms', 'bdp_packets', ...others])
    asNumber(settings[field], `experiment: ${field}`);
  return value as Has;
}

function parseRate(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0)
    throw new Error(`--rate is '${text}', expected Mbit/s above 0, such as 100`);
  return Number(text) * 1e6;
}
