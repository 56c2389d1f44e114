import type { CompletedDecision } from '../../decision.ts';
import { believedPace } from '../../learning/believed-pace.ts';
import { readTcpState, type TcpFields } from '../../wire/tcp-state.ts';
import { kbps, timeAt, bytes } from '../../units.ts';
import { HISTORY, PLAIN_INPUTS, TCP_INPUTS } from './ttp-model.ts';

/**
 * What a predictor looks at (thesis §2.3.2), in the order of the model's inputs and in the units of Puffer's data: of the
 * last eight downloads, the latest first, the sizes (bytes), the times (ms), and the shares of the times that a pace
 * explains, which are ours; how many downloads there are; of the connection the window and what is in flight (packets),
 * the least and the smoothed round trip (µs) and the delivery rate (bytes/s); last the size of the segment in question
 * (bytes). Of a download that was given up, the size is what had arrived. What is missing is NaN. `sammy_analysis.ttp.inputs` makes the same of a folder of sessions.
 */
export interface TtpInputs {
  /** The variant of the model: TCP's statistics are all there. */
  readonly variant: 'tcp' | 'plain';
  /** All inputs but the size in question, whose place is left free. */
  readonly values: Float64Array;
  /** The largest of the past downloads, bytes; infinite before the first. */
  readonly largest_bytes: number;
  /** The smoothed round trip, µs, if there is one that can be believed. */
  readonly rtt_us: number | undefined;
}

/** The inputs for what comes after `downloads`, complete or given up. */
export function ttpInputs(
  downloads: readonly CompletedDecision[],
  receipt: TcpFields | undefined,
): TtpInputs {
  const past = downloads.slice(-HISTORY).reverse();
  const { state } = readTcpState(receipt ?? {});
  const tcp = [
    state.cwnd_packets,
    state.in_flight_packets,
    state.min_rtt_us,
    state.rtt_us,
    state.delivery_bytes_per_s,
  ];
  const known = tcp.every((value) => value !== undefined);
  const values = new Float64Array(known ? TCP_INPUTS : PLAIN_INPUTS).fill(NaN);
  past.forEach((download, back) => {
    values[back] = download.size_bytes;
    values[HISTORY + back] = download.download_ms;
    values[2 * HISTORY + back] = paceShare(download);
  });
  values[3 * HISTORY] = past.length;
  if (known) values.set(tcp, 3 * HISTORY + 1);
  const largest_bytes = past.length > 0 ? Math.max(...past.map(({ size_bytes }) => size_bytes)) : Infinity;
  return { variant: known ? 'tcp' : 'plain', values, largest_bytes, rtt_us: state.rtt_us };
}

/** The share of a download's time that its pace alone takes: 0 without one, about 1 where that was the limit. */
function paceShare(download: CompletedDecision): number {
  const { size_bytes, download_ms } = download;
  const pace_kbps = believedPace(download) ?? 0;
  if (pace_kbps <= 0) return 0;
  return Math.min(1, timeAt(bytes(size_bytes), kbps(pace_kbps)) / (download_ms / 1000));
}
