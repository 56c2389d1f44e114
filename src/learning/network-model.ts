import type { Decision, PacingHonored } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { Mean } from '../mean.ts';
import {
  bytes,
  kbps,
  milliseconds,
  rateOf,
  seconds,
  type Bytes,
  type Kbps,
  type Milliseconds,
  type Seconds,
} from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { CLEARLY_ABOVE, EdgeTrust } from './edge-trust.ts';
import type { InitialThroughputHistory } from './history.ts';
import { isLowerBound, ThroughputEstimator, withoutWaits, type ThroughputSample } from './throughput.ts';
import type { Transfer } from './transfer.ts';

/**
 * A longer round-trip time in a receipt is ignored: nearly every download would be shorter, and seem to come from a cache. A
 * geostationary satellite has about 600 ms.
 */
const LONGEST_RTT_MS = milliseconds(1000);
/** Used if no plausible round-trip time is known. */
const NO_RTT_MS = milliseconds(0);

/**
 * A shorter download may come from the browser's cache, if the browser does not report it. dash.js 5 has the same threshold for
 * video (`cacheLoadThresholds`).
 */
const DOUBTED_BELOW_MS = milliseconds(50);
/** After this number of doubtful downloads in a row, the next ones are taken for the network's: no cache has that many. Ours. */
const DOUBTED_IN_A_ROW = 12;

/** The part of the core's environment that learning needs. */
export interface LearningSurroundings {
  /** A monotonic clock, ms. */
  readonly now: () => Milliseconds;
  /** Calendar time, ms since 1970, which dates the entries of the history. */
  readonly today: () => Milliseconds;
  /** The throughput that earlier sessions measured in their initial phase. Without it nothing is stored. */
  readonly history?: InitialThroughputHistory | undefined;
  /** Returns a name for the network and the server, as far as they can be told apart. The history is kept by this name. */
  readonly place?: (() => string) | undefined;
}

/** The environment, and the default throughput. */
export interface LearningContext extends LearningSurroundings {
  /** The throughput to start from when nothing is remembered. */
  readonly defaultThroughput: () => Kbps;
}

/** The properties of a decision that learning needs. */
export type LearntRequest = Pick<
  Decision,
  'media_type' | 'requested_kbps' | 'segment_duration_s' | 'low_latency' | 'phase'
>;

/** The result of learning from a request that has ended. */
export interface Lesson {
  /** Something arrived, from the network, and it was no error page. */
  readonly tells: boolean;
  /** It may have come from a cache. */
  readonly isDoubtful: boolean;
  readonly fromCache: boolean;
  /** Size over download time (Sammy Appendix A); null when nothing arrived. */
  readonly achieved: Kbps | null;
  /** The pace, or the encoder of low-latency live, set the speed, so that the throughput is a lower bound. */
  readonly paceLimited: boolean;
}

/** A model of the network and one edge, learned from this session's downloads and from the memory of earlier sessions. */
export class NetworkModel {
  readonly #context: LearningContext;
  readonly #estimators = new Map<MediaType, ThroughputEstimator>();
  /** The highest pace of an edge that paces lower than it is asked to. */
  readonly #ceilings = new Map<MediaType, Kbps>();
  readonly #trust = new EdgeTrust();
  /** Throughput of the initial phase's downloads that no pace limited. */
  readonly #initial: Readonly<Record<MediaType, Mean>>;
  readonly #before: NetworkModel | undefined;

  /**
   * `before`: what is known of the origin that answered last; what it was seen to carry goes for this one too, until that has
   * been seen itself.
   */
  constructor(context: LearningContext, before?: NetworkModel) {
    this.#context = context;
    this.#before = before;
    this.#initial = before ? before.#initial : { video: new Mean(), audio: new Mean() };
  }

  /** Whether the edge paces as requested. */
  get pacingHonored(): PacingHonored {
    return this.#trust.honored;
  }

  /** The throughput to expect before the first sample: from earlier sessions, else the default. */
  get initialThroughput(): Kbps {
    return this.#remembered ?? this.#context.defaultThroughput();
  }

  /** Throughput estimate from the downloads of the media type; undefined while nothing is known. */
  estimate(mediaType: MediaType): Kbps | undefined {
    return this.#estimator(mediaType).estimate;
  }

  /** The estimate, or the default throughput without one. The estimate starts from earlier sessions. */
  expected(mediaType: MediaType): Kbps {
    return this.estimate(mediaType) ?? this.#context.defaultThroughput();
  }

  /** The highest pace of the edge; infinite if no limit has been seen. */
  ceiling(mediaType: MediaType): Kbps {
    return this.#ceilings.get(mediaType) ?? kbps(Infinity);
  }

  /** The throughputs of the last minute's downloads that only the network limited, and no pace; oldest first. */
  carried(mediaType: MediaType): readonly Kbps[] {
    return this.#estimator(mediaType).carried(this.#context.now());
  }

  /**
   * For later sessions: what the initial phase of this one has measured. Video tells more than audio, whose segments are
   * too small to fill a pipe.
   */
  remember(): void {
    const { history, today } = this.#context;
    const measured = this.#initial.video.value ?? this.#initial.audio.value;
    if (measured !== null) history?.add(kbps(measured), today(), this.#place);
  }

  /**
   * `bound`: the most to expect of a network for which only what may have come from a cache speaks. `isTimed`: whether the
   * times of the transfer may be believed.
   */
  learn(asked: LearntRequest, transfer: Transfer, bound: () => Kbps, isTimed = true): Lesson {
    const { receipt, size_bytes, download_ms } = transfer;
    const arrived = size_bytes > 0 && download_ms > 0;
    const told = receipt.min_rtt_ms ?? receipt.rtt_ms ?? NO_RTT_MS;
    const tooSoon = download_ms < told && told <= LONGEST_RTT_MS;
    const rtt = told <= Math.min(LONGEST_RTT_MS, download_ms) ? told : NO_RTT_MS;
    // What comes sooner than the network goes there and back, its receipt with it, was kept somewhere on this side. Only the
    // least round trip tells: a smoothed one has queues in it that may be gone.
    const fromCache =
      transfer.from_cache === true || (arrived && tooSoon && receipt.min_rtt_ms !== undefined);
    const isFast =
      transfer.from_cache === undefined && receipt.min_rtt_ms === undefined && download_ms < DOUBTED_BELOW_MS;
    // An error page is served without a pace and is no sample of the network.
    const tells = arrived && isTimed && !fromCache && transfer.outcome !== 'failed';
    const estimator = this.#estimator(asked.media_type);
    const [size, duration] = [bytes(size_bytes), seconds(download_ms / 1000)];
    const achieved = rateOf(size, duration);
    // If the round trip was most of the download, a larger segment would take hardly longer.
    if (tells && (isFast || download_ms < 2 * rtt)) {
      const carried = rateOf(size, seconds((download_ms - rtt) / 1000));
      // Before playback, a higher rung would delay the audio beside it.
      estimator.doubt(asked.phase === 'initial' ? kbps(0) : kbps(Math.min(carried, bound())), isFast);
    } else if (tells) estimator.trust();
    const isDoubtful = isFast && estimator.doubts <= DOUBTED_IN_A_ROW;
    const isSample = tells && !isDoubtful;
    const pace = isSample ? this.#paceOf(asked, receipt, size, duration) : null;
    const sample: ThroughputSample = {
      size,
      duration,
      pace,
      encoded: asked.low_latency ? rateOf(size, seconds(asked.segment_duration_s)) : undefined,
      rtt,
      at: this.#context.now(),
    };
    const paceLimited = isSample && isLowerBound(sample);
    if (isSample) {
      // "At least this much" takes nothing away from what is assumed.
      if (paceLimited && estimator.estimate === undefined) estimator.seed(this.initialThroughput);
      estimator.add(withoutWaits(sample, milliseconds(transfer.receiving_ms ?? 0)));
      if (asked.phase === 'initial' && !paceLimited) this.#initial[asked.media_type].add(achieved, duration);
    }
    return { tells, isDoubtful, fromCache, achieved: arrived ? achieved : null, paceLimited };
  }

  /** Returns the pace that the download probably had, or null for none. */
  #paceOf(asked: LearntRequest, receipt: Receipt, size: Bytes, duration: Seconds): Kbps | null {
    const requested = asked.requested_kbps as Kbps | null;
    const pace = this.#trust.observe({
      requested,
      applied: receipt.pace_kbps,
      socket: receipt.socket_pace_kbps,
      size,
      duration,
    });
    if (requested !== null) {
      // An edge that does not pace, or is not believed to, has no ceiling either.
      const ceiling = pace !== null && pace < requested ? pace : kbps(Infinity);
      // A download much faster than the ceiling is at best a burst, and does not show a ceiling.
      if (rateOf(size, duration) <= CLEARLY_ABOVE * ceiling) this.#ceilings.set(asked.media_type, ceiling);
    }
    return pace;
  }

  /**
   * What earlier sessions measured, as far as they are trusted; beyond that the default, in ratios: what is half trusted of 16
   * times the default is 4 times the default. Undefined without any.
   */
  get #remembered(): Kbps | undefined {
    const { history, today, defaultThroughput } = this.#context;
    const remembered = history?.estimate(today(), this.#place);
    if (!remembered) return undefined;
    const otherwise = defaultThroughput();
    return kbps(otherwise * (remembered.throughput / otherwise) ** remembered.trust);
  }

  get #place(): string {
    return this.#context.place?.() ?? '';
  }

  #estimator(mediaType: MediaType): ThroughputEstimator {
    let estimator = this.#estimators.get(mediaType);
    if (!estimator) {
      estimator = new ThroughputEstimator();
      const seen = this.#before ? this.#before.estimate(mediaType) : this.#remembered;
      if (seen !== undefined) estimator.seed(seen);
      this.#estimators.set(mediaType, estimator);
    }
    return estimator;
  }
}
