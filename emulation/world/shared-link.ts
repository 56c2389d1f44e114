import { shareMaxMin, type Sharer } from './max-min.ts';

/**
 * A link that downloads share, as a fluid: at each moment every download has its max-min fair share, at most its own
 * cap, which is its pace or what its access line carries. Events are beginnings and ends of downloads; in between all
 * rates are constant.
 *
 * The rest of the network is a formula, since a fluid has no packets:
 * - A queue stands only while the caps of all downloads together (`offered`) exceed the capacity. Then it delays
 *   packets by `queue_ms` (1 - capacity / offered), so that it is full where very much more is offered.
 * - A download that gets less than its cap is held back by loss. With the square-root law of TCP (Mathis et al. 1997),
 *   rate = 1.22 MSS / (RTT sqrt(p)), its loss is p = 1.5 (MSS / (RTT rate))². Others lose nothing.
 * There is no slow start, no dependence of shares on the round trip, and no queue on access lines. So all that pacing
 * does there, and to bursts on a link that is not full, is left out.
 */
export class SharedLink {
  /** In order of rising caps. */
  readonly #downloads: LinkDownload[] = [];
  readonly #capacity: number;
  readonly #queue_ms: number;
  #at_ms = 0;
  #next: LinkDownload | undefined;
  #next_ms = Infinity;
  #delay_ms = 0;
  /** Payload that has been carried. */
  carried_bytes = 0;

  constructor({ capacity_kbps, queue_ms }: { readonly capacity_kbps: number; readonly queue_ms: number }) {
    this.#capacity = capacity_kbps;
    this.#queue_ms = queue_ms;
  }

  /** The queue's delay now, ms. */
  get delay_ms(): number {
    return this.#delay_ms;
  }

  /** When the next download ends; infinite without any. */
  get next_ms(): number {
    return this.#next_ms;
  }

  begin(download: LinkDownload, now_ms: number): void {
    this.#advance(now_ms);
    const place = this.#downloads.findIndex(({ cap_kbps }) => cap_kbps > download.cap_kbps);
    this.#downloads.splice(place < 0 ? this.#downloads.length : place, 0, download);
    this.#share();
  }

  /** At `next_ms`: the download that ends then. */
  end(): LinkDownload {
    const download = this.#next;
    if (!download) throw new Error('no download is under way');
    this.#advance(this.#next_ms);
    download.left_bytes = 0;
    this.#remove(download);
    return download;
  }

  /** Its viewer has left. */
  cancel(download: LinkDownload, now_ms: number): void {
    this.#advance(now_ms);
    this.#remove(download);
  }

  #remove(download: LinkDownload): void {
    this.#downloads.splice(this.#downloads.indexOf(download), 1);
    this.#share();
  }

  #advance(now_ms: number): void {
    const passed_ms = now_ms - this.#at_ms;
    this.#at_ms = now_ms;
    if (passed_ms <= 0) return;
    for (const download of this.#downloads) {
      // kbit/s times ms are bits.
      const carried_bytes = (download.rate_kbps * passed_ms) / 8;
      download.left_bytes -= carried_bytes;
      download.lost_bytes += carried_bytes * download.loss;
      this.carried_bytes += carried_bytes;
    }
  }

  #share(): void {
    let offered = 0;
    for (const { cap_kbps } of this.#downloads) offered += cap_kbps;
    this.#delay_ms = offered > this.#capacity ? this.#queue_ms * (1 - this.#capacity / offered) : 0;
    shareMaxMin(this.#downloads, this.#capacity);
    this.#next = undefined;
    this.#next_ms = Infinity;
    for (const download of this.#downloads) {
      const { rate_kbps } = download;
      const rtt_ms = download.idle_rtt_ms + this.#delay_ms;
      download.least_rtt_ms = Math.min(download.least_rtt_ms, rtt_ms);
      download.loss = rate_kbps < download.cap_kbps ? lossAt(rate_kbps, rtt_ms) : 0;
      const ends_ms = this.#at_ms + (Math.max(0, download.left_bytes) * 8) / rate_kbps;
      if (ends_ms >= this.#next_ms) continue;
      this.#next = download;
      this.#next_ms = ends_ms;
    }
  }
}

/** Payload of a full packet. */
const MSS_BYTES = 1448;
/** The share of packets that is lost at which Reno's window, and so its rate, is what it is; at most so much. */
const MOST_LOSS = 0.1;

const lossAt = (rate_kbps: number, rtt_ms: number): number =>
  Math.min(MOST_LOSS, 1.5 * ((MSS_BYTES * 8) / (rtt_ms * rate_kbps)) ** 2);

/** One download on the link. */
export class LinkDownload implements Sharer {
  readonly size_bytes: number;
  readonly cap_kbps: number;
  readonly idle_rtt_ms: number;
  left_bytes: number;
  lost_bytes = 0;
  rate_kbps = 0;
  loss = 0;
  least_rtt_ms = Infinity;

  constructor(asked: {
    readonly size_bytes: number;
    readonly cap_kbps: number;
    readonly idle_rtt_ms: number;
  }) {
    this.size_bytes = this.left_bytes = asked.size_bytes;
    this.cap_kbps = asked.cap_kbps;
    this.idle_rtt_ms = asked.idle_rtt_ms;
  }
}
