import type { Postcard } from '../../../../p4/collector/postcard.ts';
import { quantile } from '../../../ground/statistics/bootstrap.ts';
import type { QueueResult } from '../play-stack.ts';

/**
 * Counts the packets that leave a port's queues within a period, and records their waits. The data are from postcards.
 */
export class QueueWaits {
  readonly #getQueue: (sourcePort: number | undefined) => number;
  readonly #waits_us: readonly number[][];
  /** The period in which packets are counted, on the switch's clock. */
  #window_s: readonly [from: number, to: number] = [Infinity, Infinity];
  /** The bytes of the counted packets, as whole frames. */
  bytes = 0;

  constructor(queues: number, getQueue: (sourcePort: number | undefined) => number) {
    this.#getQueue = getQueue;
    this.#waits_us = Array.from({ length: queues }, () => []);
  }

  /** Sets the period in which packets are counted, in s on the switch's clock. */
  count(from_s: number, to_s: number): void {
    this.#window_s = [from_s, to_s];
  }

  note({ t_s, queueTime, packetLength, flow, dropped }: Postcard): void {
    const left_s = t_s + queueTime / 1e6;
    const [from_s, to_s] = this.#window_s;
    if (dropped || left_s < from_s || left_s > to_s) return;
    this.bytes += packetLength;
    this.#waits_us[this.#getQueue(flow.sourcePort)]?.push(queueTime);
  }

  results(): QueueResult[] {
    return this.#waits_us.map((waits) => {
      const sorted = Float64Array.from(waits).sort();
      const at_ms = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share) / 1000);
      return {
        ...{ sent: sorted.length, dropped: null },
        ...{ wait_p2_ms: at_ms(0.02), wait_p50_ms: at_ms(0.5), wait_p98_ms: at_ms(0.98) },
      };
    });
  }
}
