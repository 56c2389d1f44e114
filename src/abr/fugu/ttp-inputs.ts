import type { CompletedDecision } from '../../decision.ts';
import { probablePace } from '../../learning/probable-pace.ts';
import { readTcpState, type TcpFields } from '../../wire/tcp-state.ts';
import { kbps, transferTime, bytes } from '../../units.ts';
import { HISTORY, PLAIN_INPUTS, TCP_INPUTS } from './ttp-model.ts';

/**
 * A predictor's inputs (Puffer's thesis, §2.3.2), in the order of the model and in the units of Puffer's data. For each
 * of the last eight downloads, latest first: the size (bytes; for an abandoned download, the received part), the time
 * (ms), and the share of the time that is due to a pace (not in the thesis). Then the number of downloads. Then the
 * connection's congestion window and packets in flight, its minimum and smoothed round-trip times (µs), and its
 * delivery rate (bytes/s). Last, the size of the segment to predict (bytes). Missing values are NaN.
 * `sammy_analysis.ttp.inputs` computes the same from a folder of sessions.
 */
export interface TtpInputs {
  /** The variant of the model: `tcp` if all TCP statistics are available. */
  readonly variant: 'tcp' | 'plain';
  /** All inputs. The last one, the size of the segment to predict, is not set yet. */
  readonly values: Float64Array;
  /** The largest past download, bytes; Infinity before the first. */
  readonly largest_bytes: number;
  /** The smoothed round-trip time, µs, if plausible. */
  readonly rtt_us: number | undefined;
}

/** Returns the inputs for the segment after `downloads`, which completed or were abandoned. */
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

/**
 * The share of a download's time that is due to its pace alone: 0 without a pace, about 1 if the pace was the limit.
 */
function paceShare(download: CompletedDecision): number {
  const { size_bytes, download_ms } = download;
  const pace_kbps = probablePace(download) ?? 0;
  if (pace_kbps <= 0) return 0;
  return Math.min(1, transferTime(bytes(size_bytes), kbps(pace_kbps)) / (download_ms / 1000));
}
