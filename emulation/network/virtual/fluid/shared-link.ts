import { shareMaxMin, type Sharer } from './max-min.ts';

/**
 * A link that downloads share, modeled as a fluid: at each moment every download has its max-min fair share, limited by
 * its own cap, which is its pace or the capacity of its access line. Events are beginnings and ends of downloads; all
 * rates are constant between events.
 *
 * - If the caps of all downloads together (`offered`) exceed the capacity, the queue grows by the difference until it
 *   is full; below the capacity it shrinks. It is one drop-tail queue: it delays every download, and it loses packets
 *   only when full.
 * - While it is full, a download that gets less than its cap is limited by loss. By the square-root law of TCP (Mathis
 *   et al. 1997), rate = 1.22 MSS / (RTT sqrt(p)), its loss is p = 1.5 (MSS / (RTT rate))². Other downloads lose
 *   nothing.
 *
 * Therefore, a cap that limits no download, such as a pace above the fair share, changes only the time until the queue
 * is full, but not rates, queue or loss. The model has no slow start, no dependence of shares on the round trip, and no
 * queue on access lines; data in the queue count as received. The model therefore ignores effects of pacing on access
 * lines, and on bursts on a link that is not full.
 */
export class SharedLink {
  /** The downloads in order of rising caps. */
  readonly #downloads: LinkDownload[] = [];
  readonly #capacity: number;
  readonly #queue_ms: number;
  #at_ms = 0;
  #next: LinkDownload | undefined;
  #next_ms = Infinity;
  /** The queueing delay of a packet at `#at_ms`. */
  #delay_ms = 0;
  /** The change of the queueing delay per millisecond, until the queue is full or empty, in ms. */
  #growth = 0;
  /** The payload carried so far. */
  carried_bytes = 0;

  constructor({ capacity_kbps, queue_ms }: { readonly capacity_kbps: number; readonly queue_ms: number }) {
    this.#capacity = capacity_kbps;
    this.#queue_ms = queue_ms;
  }

  /** The queueing delay at `now_ms`, which must not be before the last event, ms. */
  delayAt(now_ms: number): number {
    const delay_ms = this.#delay_ms + this.#growth * (now_ms - this.#at_ms);
    return Math.min(this.#queue_ms, Math.max(0, delay_ms));
  }

  /** When the next download ends, ms; infinite if there is none. */
  get next_ms(): number {
    return this.#next_ms;
  }

  begin(download: LinkDownload, now_ms: number): void {
    this.#advance(now_ms);
    download.least_delay_ms = this.#delay_ms;
    const place = this.#downloads.findIndex(({ cap_kbps }) => cap_kbps > download.cap_kbps);
    this.#downloads.splice(place < 0 ? this.#downloads.length : place, 0, download);
    this.#share();
  }

  /** Ends and returns the download that finishes at `next_ms`. */
  end(): LinkDownload {
    const download = this.#next;
    if (!download) throw new Error('no download is in progress');
    this.#advance(this.#next_ms);
    download.left_bytes = 0;
    this.#remove(download);
    return download;
  }

  /** Removes a download whose viewer has left. */
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
    if (passed_ms <= 0) return;
    const filling_ms = this.#growth > 0 ? (this.#queue_ms - this.#delay_ms) / this.#growth : Infinity;
    const full_ms = Math.max(0, passed_ms - filling_ms);
    this.#delay_ms = this.delayAt(now_ms);
    this.#at_ms = now_ms;
    for (const download of this.#downloads) {
      // kbit/s times ms are bits.
      const carried_bytes = (download.rate_kbps * passed_ms) / 8;
      download.left_bytes -= carried_bytes;
      if (full_ms > 0 && download.rate_kbps < download.cap_kbps) {
        const loss = lossAt(download.rate_kbps, download.idle_rtt_ms + this.#queue_ms);
        download.lost_bytes += ((download.rate_kbps * full_ms) / 8) * loss;
      }
      // Between two events the queue only grows or only shrinks.
      if (this.#delay_ms < download.least_delay_ms) download.least_delay_ms = this.#delay_ms;
      this.carried_bytes += carried_bytes;
    }
  }

  #share(): void {
    shareMaxMin(this.#downloads, this.#capacity);
    let offered = 0;
    this.#next = undefined;
    this.#next_ms = Infinity;
    for (const download of this.#downloads) {
      offered += download.cap_kbps;
      const ends_ms = this.#at_ms + (Math.max(0, download.left_bytes) * 8) / download.rate_kbps;
      if (ends_ms >= this.#next_ms) continue;
      this.#next = download;
      this.#next_ms = ends_ms;
    }
    this.#growth = offered / this.#capacity - 1;
  }
}

/** The payload of a full packet. */
const MSS_BYTES = 1448;
/** The highest loss rate that `lossAt`, which inverts the square-root law for Reno, returns. */
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
  /** The lowest queueing delay while the download was on the link; infinite until its first byte. */
  least_delay_ms = Infinity;

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
