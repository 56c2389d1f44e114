import type { CompletedDecision } from '../../src/index.ts';
import { element } from './elements.ts';
import { color, TimeChart } from './time-chart.ts';

const container = (id: string): HTMLElement => element(`#${id}`, HTMLElement);

/** Charts of Sammy's decisions and measurements in its current session. */
export class SessionCharts {
  #ladder_mbps: number[] = [];
  #retransmitted = new Map<string, { first: number; last: number }>();

  readonly #throughput = new TimeChart(
    container('throughput'),
    [
      { label: 'measured', color: color('--blue'), dots: true, unit: 'Mbit/s' },
      { label: 'pace set', color: color('--sammy'), stepped: 'after', unit: 'Mbit/s' },
      { label: 'pace asked', color: color('--asked'), stepped: 'after', dash: [5, 5], unit: 'Mbit/s' },
    ],
    { log: true },
  );
  readonly #bitrate = new TimeChart(
    container('bitrate'),
    [{ label: 'bitrate', color: color('--sammy'), stepped: 'after', unit: 'Mbit/s' }],
    { rules: () => this.#ladder_mbps.map((value) => ({ value })) },
  );
  readonly #buffer = new TimeChart(container('buffer'), [
    { label: 'video', color: color('--sammy'), unit: 's' },
    { label: 'audio', color: color('--blue'), unit: 's' },
  ]);
  readonly #network = new TimeChart(container('network'), [
    { label: 'RTT', color: color('--blue'), unit: 'ms' },
    { label: 'retransmitted', color: color('--stock'), scale: 'kB', stepped: 'after', unit: 'kB' },
  ]);

  setLadder(bitrates_kbps: readonly number[]): void {
    this.#ladder_mbps = bitrates_kbps.map((bitrate) => bitrate / 1000);
  }

  addBuffer(time_s: number, video_s: number | null, audio_s: number | null): void {
    this.#buffer.add(time_s, [video_s, audio_s]);
  }

  addDecision(decision: CompletedDecision): void {
    const { connection, retransmitted_bytes, rtt_ms } = decision;
    const end_s = (decision.at_ms + decision.download_ms) / 1000;
    if (connection !== undefined && retransmitted_bytes !== undefined) {
      const counter = this.#retransmitted.get(connection) ?? { first: retransmitted_bytes, last: 0 };
      this.#retransmitted.set(connection, { ...counter, last: retransmitted_bytes });
    }
    const lost = [...this.#retransmitted.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    this.#network.add(end_s, [rtt_ms ?? null, lost / 1000]);
    if (decision.media_type !== 'video') return;
    const mbps = (rate: number | null | undefined) =>
      rate === null || rate === undefined ? null : rate / 1000;
    this.#throughput.add(end_s, [
      mbps(decision.achieved_kbps),
      mbps(decision.applied_kbps),
      mbps(decision.requested_kbps),
    ]);
    this.#bitrate.add(decision.at_ms / 1000, [decision.bitrate_kbps / 1000]);
  }

  clear(): void {
    this.#retransmitted.clear();
    for (const chart of [this.#throughput, this.#bitrate, this.#buffer, this.#network]) chart.clear();
  }
}
