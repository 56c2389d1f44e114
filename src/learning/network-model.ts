import type { Decision, PacingHonored } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { Mean } from '../mean.ts';
import {
  bytes,
  kbps,
  milliseconds,
  averageRate,
  seconds,
  type Bytes,
  type Kbps,
  type Milliseconds,
  type Seconds,
} from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { CLEARLY_ABOVE, EdgeTrust } from './edge-trust.ts';
import { GRACE_S } from './first-bytes.ts';
import type { InitialThroughputHistory, StoredThroughput } from './history.ts';
import { isLowerBound, ThroughputEstimator, withoutWaits, type ThroughputSample } from './throughput.ts';
import type { Transfer } from './transfer.ts';

/**
 * A longer round-trip time in a receipt is ignored: nearly every download would take less time and count as cached. The
 * round-trip time over a geostationary satellite is about 600 ms.
 */
const LONGEST_RTT_MS = milliseconds(1000);
/** Used if no plausible round-trip time is known. */
const NO_RTT_MS = milliseconds(0);

/**
 * A shorter download may come from the browser's cache if the browser does not report the source. dash.js 5 has the
 * same threshold for video (`cacheLoadThresholds`).
 */
const DOUBTED_BELOW_MS = milliseconds(50);
/**
 * After this number of consecutive downloads that may be cached, the next ones count as network samples, because a
 * cache rarely has so many consecutive segments.
 */
const DOUBTED_IN_A_ROW = 12;

/** The part of the core's environment that learning needs. */
export interface LearningEnvironment {
  /** A monotonic clock, ms. */
  readonly now: () => Milliseconds;
  /** Calendar time, ms since 1970. Used for the timestamps of the history. */
  readonly today: () => Milliseconds;
  /** The throughput that earlier sessions measured in their initial phase. If absent, nothing is stored. */
  readonly history?: InitialThroughputHistory | undefined;
  /** Returns a name for the network and the server, as far as they can be distinguished. The key of the history. */
  readonly place?: (() => string) | undefined;
}

/** The environment of a network model, and the default throughput. */
export interface LearningContext extends LearningEnvironment {
  /** The throughput estimate if the history is empty. */
  readonly defaultThroughput: () => Kbps;
}

/** The properties of a decision that learning needs. */
export type LearningRequest = Pick<
  Decision,
  'media_type' | 'requested_kbps' | 'segment_duration_s' | 'low_latency' | 'phase'
>;

/** The result of learning from a request that has ended. */
export interface LearningResult {
  /** Whether the download is a network sample: bytes arrived from the network, and the response was not an error. */
  readonly isNetworkSample: boolean;
  /** Whether the response may have come from a cache. */
  readonly mayBeCached: boolean;
  readonly fromCache: boolean;
  /** Size over download time (Sammy Appendix A); null if nothing arrived. */
  readonly achieved: Kbps | null;
  /** Whether the pace, or the encoder of low-latency live, limited the download, so that its throughput is a lower bound. */
  readonly paceLimited: boolean;
}

/** A model of the network path to one edge, learned from this session's downloads and the history of earlier sessions. */
export class NetworkModel {
  readonly #context: LearningContext;
  readonly #estimators = new Map<MediaType, ThroughputEstimator>();
  /** The highest pace of an edge that paces below the requested rate. */
  readonly #ceilings = new Map<MediaType, Kbps>();
  readonly #trust = new EdgeTrust();
  /** Mean throughput of the initial phase's downloads, without pace-limited downloads. */
  readonly #initial: Readonly<Record<MediaType, Mean>>;
  readonly #before: NetworkModel | undefined;

  /**
   * `before`: the model of the origin that answered last. Its estimate is used until there are samples of this origin.
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

  /** The throughput to expect before the first sample: from earlier sessions, or else the default. */
  get initialThroughput(): Kbps {
    return this.#remembered?.throughput ?? this.#context.defaultThroughput();
  }

  /**
   * Throughput estimate for the media type. It starts from the previous origin or the history; undefined without either
   * before the first sample.
   */
  estimate(mediaType: MediaType): Kbps | undefined {
    return this.#estimator(mediaType).estimate;
  }

  /** The throughput estimate, which starts from the history, or else the default throughput. */
  expectedThroughput(mediaType: MediaType): Kbps {
    return this.estimate(mediaType) ?? this.#context.defaultThroughput();
  }

  /** Whether anything is known about the network, from downloads or from a history with a trust of at least 0.5. */
  isKnown(mediaType: MediaType): boolean {
    return (
      this.sampledEstimate(mediaType) !== undefined ||
      this.#estimator(mediaType).doubts > 0 ||
      (this.#remembered?.trust ?? 0) >= 0.5
    );
  }

  /**
   * The estimate of this origin or, without samples of this origin, of the latest origin with samples; undefined if
   * there is none.
   */
  sampledEstimate(mediaType: MediaType): Kbps | undefined {
    const estimator = this.#estimators.get(mediaType);
    return estimator?.hasSamples ? estimator.estimate : this.#before?.sampledEstimate(mediaType);
  }

  /** The highest pace of the edge; Infinity if no limit has been seen. */
  ceilingFor(mediaType: MediaType): Kbps {
    return this.#ceilings.get(mediaType) ?? kbps(Infinity);
  }

  /** The throughputs of the last minute's downloads, oldest first, without pace-limited downloads. */
  networkThroughputs(mediaType: MediaType): readonly Kbps[] {
    return this.#estimator(mediaType).networkThroughputs(this.#context.now());
  }

  /**
   * Stores the throughput of this session's initial phase for later sessions. Video is preferred, because audio segments are
   * too small to fill a pipe.
   */
  storeInitialThroughput(): void {
    const { history, today } = this.#context;
    const measured = this.#initial.video.value ?? this.#initial.audio.value;
    if (measured !== null) history?.add(kbps(measured), today(), this.#place);
  }

  /**
   * Learns from a request that has ended. `bound` returns the highest throughput to assume while all downloads may have
   * come from a cache. `isTimed`: whether the times of the transfer are plausible.
   */
  learn(asked: LearningRequest, transfer: Transfer, bound: () => Kbps, isTimed = true): LearningResult {
    const { receipt, size_bytes, download_ms } = transfer;
    const arrived = size_bytes > 0 && download_ms > 0;
    const reported_ms = receipt.min_rtt_ms ?? receipt.rtt_ms ?? NO_RTT_MS;
    const plausible_ms = reported_ms <= LONGEST_RTT_MS ? reported_ms : NO_RTT_MS;
    const tooSoon = download_ms < plausible_ms;
    const rtt = tooSoon ? NO_RTT_MS : plausible_ms;
    // A response with a receipt that arrives in less than the minimum round-trip time came from a cache. The smoothed
    // round-trip time proves nothing, because it may include a queue that no longer exists.
    const fromCache =
      transfer.from_cache === true || (arrived && tooSoon && receipt.min_rtt_ms !== undefined);
    const isFast =
      transfer.from_cache === undefined && receipt.min_rtt_ms === undefined && download_ms < DOUBTED_BELOW_MS;
    const estimator = this.#estimator(asked.media_type);
    const [size, duration] = [bytes(size_bytes), seconds(download_ms / 1000)];
    // An error page is served without a pace and is not a sample of the network.
    const isNetworkSample = arrived && isTimed && !fromCache && transfer.outcome !== 'failed';
    // The first bytes of an aborted download say too little for an estimate: a seek or another source may abort it.
    const isTelling = isNetworkSample && (transfer.outcome === 'completed' || duration >= GRACE_S);
    const achieved = averageRate(size, duration);
    // If more than half of the download time was the round trip, the throughput of a larger segment would be much
    // higher.
    if (isTelling && (isFast || download_ms < 2 * rtt)) {
      const carried = averageRate(size, seconds((download_ms - rtt) / 1000));
      // Before playback, do not raise the estimate: a higher rung would delay the concurrent audio download.
      estimator.addDoubtful(asked.phase === 'initial' ? kbps(0) : kbps(Math.min(carried, bound())), isFast);
    } else if (isTelling) estimator.clearDoubts();
    const mayBeCached = isFast && estimator.doubts <= DOUBTED_IN_A_ROW;
    const isSample = isTelling && !mayBeCached;
    const pace = isSample ? this.#learnPace(asked, receipt, size, duration) : null;
    const sample: ThroughputSample = {
      size,
      duration,
      pace,
      encoded: asked.low_latency ? averageRate(size, seconds(asked.segment_duration_s)) : undefined,
      rtt,
      at: this.#context.now(),
    };
    const paceLimited = isSample && isLowerBound(sample);
    if (isSample) {
      // Without this seed, a lower bound would replace the initial estimate.
      if (paceLimited && estimator.estimate === undefined) estimator.seed(this.initialThroughput);
      estimator.add(withoutWaits(sample, milliseconds(transfer.receiving_ms ?? 0)));
      if (asked.phase === 'initial' && !paceLimited) this.#initial[asked.media_type].add(achieved, duration);
    }
    return {
      isNetworkSample,
      mayBeCached,
      fromCache,
      achieved: arrived ? achieved : null,
      paceLimited,
    };
  }

  /** Returns the pace that probably applied to the download, or null for none. */
  #learnPace(asked: LearningRequest, receipt: Receipt, size: Bytes, duration: Seconds): Kbps | null {
    const requested = asked.requested_kbps as Kbps | null;
    const pace = this.#trust.observe({
      requested,
      applied: receipt.pace_kbps,
      socket: receipt.socket_pace_kbps,
      size,
      duration,
    });
    if (requested !== null) {
      // An edge that does not pace, or whose reports are not trusted, has no ceiling.
      const ceiling = pace !== null && pace < requested ? pace : kbps(Infinity);
      // A download that is much faster than the reported pace does not prove a ceiling.
      if (averageRate(size, duration) <= CLEARLY_ABOVE * ceiling)
        this.#ceilings.set(asked.media_type, ceiling);
    }
    return pace;
  }

  /**
   * The throughput that earlier sessions measured, averaged with the default on a logarithmic scale; the weight is the
   * trust. Example: 16 times the default with a trust of 0.5 gives 4 times the default. Undefined with an empty
   * history.
   */
  get #remembered(): StoredThroughput | undefined {
    const { history, today, defaultThroughput } = this.#context;
    const stored = history?.estimate(today(), this.#place);
    if (!stored) return undefined;
    const { throughput, trust } = stored;
    const otherwise = defaultThroughput();
    return { throughput: kbps(otherwise * (throughput / otherwise) ** trust), trust };
  }

  get #place(): string {
    return this.#context.place?.() ?? '';
  }

  #estimator(mediaType: MediaType): ThroughputEstimator {
    let estimator = this.#estimators.get(mediaType);
    if (!estimator) {
      estimator = new ThroughputEstimator();
      const before = this.#before?.sampledEstimate(mediaType);
      const remembered = this.#remembered;
      if (before !== undefined) estimator.seed(before);
      else if (remembered) estimator.seed(remembered.throughput, remembered.trust);
      this.#estimators.set(mediaType, estimator);
    }
    return estimator;
  }
}
