/**
 * The decisions of one session: rungs, paces, whether to abandon a download, and the record of each request. Players'
 * adapters and the lab call it before and after each request. Events of playback are in `PlaybackSession`. This module
 * must not depend on the player, the clock or the storage.
 */
import type { AbrChoice, AbrState } from '../abr/abr.ts';
import { nextSegment } from '../abr/lookahead.ts';
import type { CompletedDecision, Decision, PacingHonored } from '../decision.ts';
import { rungsUpTo, topRung, type Ladder, type Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Consent } from '../learning/consent.ts';
import type { Origin } from '../learning/origins.ts';
import type { Transfer } from '../learning/transfer.ts';
import { GOODPUT_OF_PACE, type PaceDecision } from '../pace/pace.ts';
import { kbps, seconds, type Bytes, type Kbps, type Seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { chooseReplacementRung, type Progress } from './abandon.ts';
import { completeDecision, throughputForNextRung } from './completed-decision.ts';
import { PlaybackSession } from './playback-session.ts';
import { asVideo, NON_HTTP_SCHEME, pacingPhase, requestedPace } from './request-pace.ts';
import type { ChoiceState, MediaState, Situation } from './state.ts';
import type { SessionSummary } from './summary.ts';

/**
 * The first request with `rtp` to an origin needs a buffer of at least this share of the segment's duration, because
 * the wait for an answer may use up half of the buffer.
 */
const MIN_TRIAL_BUFFER = 0.75;

/** A buffer level, s, that runs out before a download can be judged (`GRACE_S`). */
const NEARLY_EMPTY_S = 0.5;

/** A choice, and the state from which the algorithm chose. */
export interface RungChoice extends AbrChoice {
  readonly state: AbrState;
}

/**
 * Sammy for one playback session: receives the player's events, and chooses rungs and paces.
 *
 * The calls for a segment: `chooseRung` -> the player requests the segment -> `decide` -> the bytes arrive ->
 * `complete`.
 */
export class Sammy extends PlaybackSession {
  #sequence = 0;
  /** The pace of the latest video request. */
  #video: PaceDecision | undefined;
  /** For each decision: the expected size, and the throughput at which the next higher rung would be chosen. */
  readonly #expectations = new WeakMap<Decision, { readonly size: Bytes; readonly bound: () => Kbps }>();

  /** The session's summary; null without a recorder. */
  get summary(): SessionSummary | null {
    const summary = this.recorder?.summary(this.stalledFor);
    return summary ? { ...summary, pacing_honored: this.pacingHonored } : null;
  }

  /** Whether the edge of the latest response paces as requested. */
  get pacingHonored(): PacingHonored {
    return this.origins.getExpected(this.#measuredType).network.pacingHonored;
  }

  /** Whether Sammy, and not the player's own rules, chooses the rungs. */
  get choosesRungs(): boolean {
    return this.options.abr !== 'player';
  }

  /** The media type that measures the network: video if there is any, because audio segments are too small. */
  get #measuredType(): MediaType {
    return this.hasRequested('video') ? 'video' : 'audio';
  }

  /** Records the receipt of a network response that is not a media segment. */
  recordReceipt(receipt: Receipt, origin?: string): void {
    this.origins.getOrigin(origin).receipt = receipt;
  }

  /** The throughput to expect before the first sample. */
  get initialThroughput(): Kbps {
    return this.origins.getOrigin().network.initialThroughput;
  }

  /** Throughput estimate; undefined before the first network sample. */
  estimate(): Kbps | undefined {
    const mediaType = this.#measuredType;
    return this.origins.getExpected(mediaType).network.estimate(mediaType);
  }

  /** Whether anything is known about the network, from this session's downloads or a recent history. */
  knowsNetwork(mediaType: MediaType): boolean {
    return this.origins.getExpected(mediaType).network.isKnown(mediaType);
  }

  /** Returns the rung for the next segment. The player may call it any number of times. */
  chooseRung(state: ChoiceState): RungChoice {
    const here = this.#abrState(state);
    const { rung, reason } = this.mediaTracks[state.mediaType].choose(here);
    return { rung: state.ladder.find(({ id }) => id === rung.id) ?? rung, reason, state: here };
  }

  /** Whether a segment of the media type has been requested. */
  hasRequested(mediaType: MediaType): boolean {
    return this.mediaTracks[mediaType].previous !== undefined;
  }

  /** Returns the lower rung at which to restart the download in flight, or undefined to let the download continue. */
  chooseAbandonment(
    state: Situation,
    current: Pick<Decision, 'bitrate_kbps'>,
    getLadder: () => Ladder | undefined,
    progress: Progress,
  ): Rung | undefined {
    const { mediaType, playhead, buffer, nextSegmentAt } = state;
    const duration = this.mediaTracks[mediaType].segmentDuration;
    const allowed = () => {
      const ladder = getLadder();
      return ladder && this.#allowedLadder(mediaType, ladder);
    };
    const rung = chooseReplacementRung(
      state,
      current,
      allowed,
      this.currentSetup.sizes ?? state.sizes,
      progress,
      {
        // With a nearly empty buffer, the segment counts as needed for playback, not as a replacement.
        replacement:
          buffer > NEARLY_EMPTY_S && nextSegmentAt + duration / 2 < (playhead ?? nextSegmentAt) + buffer,
        initial: this.phase === 'initial',
        duration,
      },
    );
    if (rung) this.mediaTracks[mediaType].recordChoice(rung, 'instead-of-abandoned');
    return rung;
  }

  /** Returns the pace to request, for media segments and for other requests (initialization segments, indexes). */
  choosePace(
    state: MediaState,
    nominal: Rung,
    duration?: Seconds,
    here: AbrState = this.#abrState(state),
  ): PaceDecision {
    const { mediaType, origin } = state;
    const track = this.mediaTracks[mediaType];
    this.requesting(state);
    if (!this.options.pacing) return { pace: null, reason: 'switched-off' };
    if (NON_HTTP_SCHEME.test(origin ?? '')) return { pace: null, reason: 'not-http' };
    if (state.lowLatency) return { pace: null, reason: 'low-latency' };
    const own = requestedPace(
      this.currentSetup,
      {
        phase: pacingPhase(this.phaseFor(state)),
        state: here,
        rung: track.bitrates.correctRung(nominal),
        duration,
        maxBuffer: state.maxBuffer,
        abr: track,
        carried: this.#expected(state).network.networkThroughputs(mediaType),
      },
      track.deadlineShare(state.playbackRate),
      state.requestTimeout,
    );
    const wanted = mediaType === 'video' ? own : asVideo(own, this.#video ?? own);
    // The first request with `rtp` to an origin is for video, because a paced audio segment would delay a video segment
    // on the same connection.
    const mayTry =
      !state.isFinal &&
      state.buffer >= MIN_TRIAL_BUFFER * (duration ?? NaN) &&
      (mediaType === 'video' || this.#video?.reason !== 'rtp-untried');
    // Request no pace if the origin might not answer a request with `rtp`.
    const objection = wanted.pace && this.getConsent(origin).reasonAgainstRtp(mediaType, mayTry);
    const decision = objection ? { ...wanted, pace: null, reason: objection } : wanted;
    if (mediaType === 'video') this.#video = decision;
    return decision;
  }

  /** Returns the record of a media segment's request, with the pace to request. */
  decide(state: MediaState, rung: Rung, duration: Seconds): Decision {
    const { mediaType } = state;
    const track = this.mediaTracks[mediaType];
    track.previous = rung;
    track.segmentDuration = duration;
    track.lowLatency = state.lowLatency;
    const here = this.#abrState(state);
    const pace = this.choosePace(state, rung, duration, here);
    const reason = this.choosesRungs ? track.reasonFor(rung) : undefined;
    const { network, receipt } = this.#expected(state);
    const decision: Decision = {
      sequence: this.#sequence++,
      at_ms: this.elapsed(),
      media_type: mediaType,
      phase: this.phaseFor(state),
      representation: rung.id,
      bitrate_kbps: rung.bitrate_kbps,
      top_bitrate_kbps: topRung(this.#allowedLadder(mediaType, state.ladder)).bitrate_kbps,
      segment_start_s: state.nextSegmentAt,
      segment_duration_s: duration,
      buffer_s: state.buffer,
      playback_rate: state.playbackRate,
      low_latency: state.lowLatency,
      estimate_kbps: network.estimate(mediaType) ?? null,
      abr_reason: reason ?? 'player',
      requested_kbps: pace.pace,
      last_receipt: receipt,
      pace_reason: pace.reason,
      multiplier: pace.multiplier ?? null,
      bound_kbps: pace.bound === Infinity ? null : (pace.bound ?? null),
    };
    const { bitrate_kbps } = track.bitrates.correctRung(rung);
    this.#expectations.set(decision, {
      size: nextSegment(here, rung).size,
      bound: () => throughputForNextRung(track, here, bitrate_kbps),
    });
    return decision;
  }

  /** Whether the origin answers requests with `rtp`. */
  getConsent(origin?: string): Consent {
    return this.origins.getOrigin(origin).consent;
  }

  /** Learns from a request that has ended, and returns the completed record. */
  complete(decision: Decision, transfer: Transfer): CompletedDecision {
    const { size = 0, bound = () => kbps(0) } = this.#expectations.get(decision) ?? {};
    // Delete the entry, because garbage collection has to visit each entry of a WeakMap.
    this.#expectations.delete(decision);
    const { network, learned } = this.origins.learnFrom(
      decision,
      transfer,
      bound,
      this.hasPlausibleTimes(decision.playback_rate, transfer),
    );
    const completed = completeDecision(
      decision,
      transfer,
      learned,
      network.pacingHonored,
      this.options.sidecar,
    );
    this.recorder?.completed(completed);
    const track = this.mediaTracks[decision.media_type];
    if (transfer.outcome === 'completed' && size > 0)
      track.bitrates.add(
        decision.representation,
        transfer.size_bytes / size,
        seconds(decision.segment_duration_s),
      );
    if (learned.isNetworkSample) {
      track.addWait((transfer.waited_ms ?? 0) / 1000);
      // If the response may be from a cache, tell the algorithms only that the throughput is at least the expected
      // throughput.
      const share = track.deadlineShare(decision.playback_rate);
      const shown = learned.mayBeCached
        ? { achieved_kbps: null, pace_limited: true }
        : share < 1 && { achieved_kbps: (learned.achieved ?? 0) * share };
      track.observe({ type: 'download', download: shown ? { ...completed, ...shown } : completed });
    }
    return completed;
  }

  #expected({ mediaType, origin }: ChoiceState): Origin {
    return this.origins.getExpected(mediaType, origin);
  }

  /** Returns the state that algorithms receive. */
  #abrState(state: ChoiceState): AbrState {
    const { mediaType, buffer, maxBuffer, bufferTarget, playbackRate, nextSegmentAt } = state;
    const { options, sizes = state.sizes } = this.currentSetup;
    const { network, receipt } = this.#expected(state);
    const expected = network.expectedThroughput(mediaType);
    // A ceiling limits the rate of downloads, but the samples of paced downloads do not show this limit.
    const ceiling = Math.min(options.ceiling_kbps, network.ceilingFor(mediaType));
    const paced = options.pacing ? Math.min(expected, GOODPUT_OF_PACE * ceiling) : expected;
    const track = this.mediaTracks[mediaType];
    const { previous, downloads, segmentDuration, lowLatency, bitrates } = track;
    // Copying each property is several times faster in V8 than a spread of `state`.
    return {
      mediaType,
      buffer,
      maxBuffer,
      bufferTarget,
      playbackRate,
      nextSegmentAt,
      ladder: bitrates.correctLadder(this.#allowedLadder(mediaType, state.ladder)),
      segmentDuration: segmentDuration > 0 ? segmentDuration : undefined,
      sizes,
      previous: previous && bitrates.correctRung(previous),
      lowLatency,
      throughput: kbps(paced * track.deadlineShare(playbackRate)),
      downloads,
      receipt,
    };
  }

  /** The rungs that may be chosen. */
  #allowedLadder(mediaType: MediaType, ladder: Ladder): Ladder {
    const limited = mediaType === 'video' && this.choosesRungs;
    return limited ? rungsUpTo(ladder, kbps(this.options.max_bitrate_kbps)) : ladder;
  }
}
