import type { AbrChoice, AbrEvent, AbrState } from '../abr/abr.ts';
import type { CompletedDecision, Decision, PacingHonored, Phase, PhaseChange } from '../decision.ts';
import { nextSegment } from '../abr/lookahead.ts';
import { topRung, rungsUpTo, type Ladder, type Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { LearningEnvironment } from '../learning/network-model.ts';
import { Origins, type Origin } from '../learning/origins.ts';
import type { Consent } from '../learning/consent.ts';
import type { Transfer } from '../learning/transfer.ts';
import { resolveOptions, type ResolvedOptions, type SammyOptions } from '../options.ts';
import { GOODPUT_OF_PACE, type PaceDecision } from '../pace/pace.ts';
import { kbps, seconds, type Bytes, type Kbps, type Milliseconds, type Seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { chooseReplacementRung, type Progress } from './abandon.ts';
import { completeDecision, throughputForNextRung } from './completed-decision.ts';
import { PhaseMachine } from './phase.ts';
import { isReplacementWorthwhile } from './replacement.ts';
import { asVideo, NON_HTTP_SCHEME, pacingPhase, requestedPace } from './request-pace.ts';
import { chooseInitialBitrate, createSetup, sameAlgorithm, type Setup } from './setup.ts';
import { StallDetector } from './stalls.ts';
import type { ChoiceState, MediaState, Situation } from './state.ts';
import type { SessionRecorder, SessionSummary } from './summary.ts';
import { openSession, Track } from './track.ts';

/** Services that the core needs from its host. */
export interface Environment extends LearningEnvironment {
  /** Called when the phase changes. */
  readonly phaseChanged?: ((change: PhaseChange) => void) | undefined;
  /** Creates the recorder of the session's summary. Without it there is no summary. */
  readonly summary?: (() => SessionRecorder) | undefined;
}

/**
 * After a seek, the buffer counts as empty if it has less than one segment or less than this, s. A paced segment takes
 * at least a third of its duration to arrive, and might be late.
 */
const MIN_BUFFER_AFTER_SEEK_S = 1;

/**
 * The first request with `rtp` to an origin needs a buffer of at least this share of the segment's duration, because
 * the wait for an answer may use up half of the buffer.
 */
const MIN_TRIAL_BUFFER = 0.75;

/**
 * The plausible lag of the playhead behind the clock during a download, s, for example due to a short pause or a seek
 * back.
 */
const LONGEST_UNPLAYED_S = 5;
/** A buffer level, s, that runs out before a download can be judged (`GRACE_S`). */
const NEARLY_EMPTY_S = 0.5;

/**
 * Sammy for one playback session: receives the player's events, and chooses rungs and paces. Independent of the player,
 * the clock and the storage.
 *
 * The calls for a segment: `chooseRung` -> the player requests the segment -> `decide` -> the bytes arrive ->
 * `complete`.
 */
export class Sammy {
  #setup: Setup;
  readonly #now: () => Milliseconds;
  readonly #startedAt: Milliseconds;
  #requestedAt: Milliseconds;
  #sequence = 0;
  /** The latest buffer target that the player reported. */
  #bufferTarget = seconds(Infinity);
  /** The pace of the latest video request. */
  #video: PaceDecision | undefined;
  readonly #phases: PhaseMachine;
  readonly #origins: Origins;
  readonly #stalls = new StallDetector();
  readonly #recorder: SessionRecorder | undefined;
  readonly #tracks: Readonly<Record<MediaType, Track>>;
  /** For each decision: the expected size, and the throughput at which the next higher rung would be chosen. */
  readonly #expectations = new WeakMap<Decision, { readonly size: Bytes; readonly bound: () => Kbps }>();

  constructor(options: SammyOptions, environment: Environment) {
    this.#setup = createSetup(resolveOptions(options));
    this.#tracks = { video: new Track(openSession(this.#setup)), audio: new Track(openSession(this.#setup)) };
    this.#origins = new Origins({
      ...environment,
      defaultThroughput: () => kbps(this.options.default_throughput_kbps),
    });
    this.#phases = new PhaseMachine(environment.phaseChanged);
    this.#recorder = environment.summary?.();
    this.#now = environment.now;
    this.#startedAt = this.#requestedAt = environment.now();
  }

  get options(): ResolvedOptions {
    return this.#setup.options;
  }

  get phase(): Phase {
    return this.#phases.phase;
  }

  /** The session's summary; null without a recorder. */
  get summary(): SessionSummary | null {
    const summary = this.#recorder?.summary(this.#stalls.stalledFor(this.#now()));
    return summary ? { ...summary, pacing_honored: this.pacingHonored } : null;
  }

  /** Whether Sammy, and not the player's own rules, chooses the rungs. */
  get choosesRungs(): boolean {
    return this.options.abr !== 'player';
  }

  /** The media type that measures the network: video if there is any, because audio segments are too small. */
  get #measuredType(): MediaType {
    return this.hasRequested('video') ? 'video' : 'audio';
  }

  /** Whether the edge of the latest response paces as requested. */
  get pacingHonored(): PacingHonored {
    return this.#origins.getExpected(this.#measuredType).network.pacingHonored;
  }

  /**
   * Changes options for the following requests. Throws the same errors as the constructor; the options are then
   * unchanged.
   */
  update(options: SammyOptions): void {
    const setup = createSetup(resolveOptions(options, this.options));
    if (!sameAlgorithm(setup.options, this.options)) {
      const [video, audio] = [openSession(setup), openSession(setup)];
      this.#tracks.video.replaceAlgorithm(video);
      this.#tracks.audio.replaceAlgorithm(audio);
    }
    this.#setup = setup;
  }

  // Playback events ---------------------------------------------------------

  /** Call it when the viewer requests playback. The play delay starts now. */
  playbackRequested(): void {
    this.#requestedAt = this.#now();
    this.#phases.playbackRequested();
  }

  /** Call it when playback waits for the viewer, not for data. */
  awaitViewer(): void {
    this.#phases.awaitViewer();
  }

  playing(): void {
    const now = this.#now();
    this.#stallEnded(this.#stalls.playing(now));
    if (!this.#phases.started) {
      this.#recorder?.playbackStarted(now - this.#requestedAt);
      this.#origins.getOrigin().network.storeInitialThroughput();
      this.#phases.playbackStarted();
    }
  }

  /**
   * Call it if Sammy is attached during playback: there is then no play delay to measure and no initial phase to store.
   */
  attachedMidPlayback(): void {
    this.#stalls.playing(this.#now());
    this.#phases.playbackStarted();
  }

  waiting(): void {
    this.#stalls.waiting(this.#now());
  }

  /** Call it when the viewer pauses playback. This ends a stall. */
  paused(): void {
    this.#stallEnded(this.#stalls.paused(this.#now()));
  }

  /** Call it at a seek to a position with `bufferAhead` seconds buffered. */
  seeking(bufferAhead: Seconds): void {
    this.#stallEnded(this.#stalls.seeking(this.#now()));
    this.#recorder?.seeked();
    this.#phases.seeked(bufferAhead, seconds(Math.max(MIN_BUFFER_AFTER_SEEK_S, this.#longestSegment)));
    this.#observe({ type: 'seek' });
  }

  /**
   * Reports the playhead's presentation time. `playable` returns the seconds buffered ahead of the playhead, and is
   * slow in a page. Call `playhead` several times a second during playback, because the buffer level is highest just
   * after a segment has arrived, and not at the next request.
   */
  playhead(time: Seconds, playable: () => Seconds): void {
    this.#recorder?.playhead(time);
    if (this.phase === 'recovery') this.#phases.updateBuffer(playable(), this.#safeBuffer);
  }

  /** Records the receipt of a network response that is not a media segment. */
  recordReceipt(receipt: Receipt, origin?: string): void {
    this.#origins.getOrigin(origin).receipt = receipt;
  }

  // Decisions ---------------------------------------------------------------

  /** The bitrate to start with before the ladder is known: the algorithm's choice with an empty buffer. */
  get initialBitrate(): Kbps {
    return chooseInitialBitrate(this.#setup, this.#origins.getOrigin().network.initialThroughput);
  }

  /** Throughput estimate; undefined before the first network sample. */
  estimate(): Kbps | undefined {
    const mediaType = this.#measuredType;
    return this.#origins.getExpected(mediaType).network.estimate(mediaType);
  }

  /**
   * Returns the rung for the next segment, and whether a switch up to this rung should replace buffered segments. The
   * player may call it any number of times.
   */
  chooseRung(state: ChoiceState): AbrChoice & { readonly replaces: boolean } {
    const here = this.#abrState(state);
    const { rung, reason } = this.#tracks[state.mediaType].choose(here);
    return {
      rung: state.ladder.find(({ id }) => id === rung.id) ?? rung,
      reason,
      replaces: isReplacementWorthwhile(here, rung),
    };
  }

  /** Whether a segment of the media type has been requested. */
  hasRequested(mediaType: MediaType): boolean {
    return this.#tracks[mediaType].previous !== undefined;
  }

  /** Returns the lower rung at which to restart the download in flight, or undefined to let the download continue. */
  chooseAbandonment(
    state: Situation,
    current: Pick<Rung, 'bitrate_kbps'>,
    getLadder: () => Ladder | undefined,
    progress: Progress,
  ): Rung | undefined {
    const { mediaType, playhead, buffer, nextSegmentAt } = state;
    const duration = this.#tracks[mediaType].segmentDuration;
    const allowed = () => {
      const ladder = getLadder();
      return ladder && this.#allowedLadder({ mediaType, ladder });
    };
    const rung = chooseReplacementRung(state, current, allowed, this.#setup.sizes ?? state.sizes, progress, {
      // With a nearly empty buffer, the segment counts as needed for playback, not as a replacement.
      replacement:
        buffer > NEARLY_EMPTY_S && nextSegmentAt + duration / 2 < (playhead ?? nextSegmentAt) + buffer,
      initial: this.#phases.phase === 'initial',
      duration,
    });
    if (rung) this.#tracks[mediaType].recordChoice(rung, 'instead-of-abandoned');
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
    const rung = this.#tracks[mediaType].bitrates.correctRung(nominal);
    // Enter the recovery phase during a stall. The event `playing`, which ends the stall, comes later.
    if (this.#stalls.stalledFor(this.#now()) !== undefined) this.#phases.stalled();
    this.#bufferTarget = state.bufferTarget;
    if (this.phase !== 'playing') {
      const playable = state.playable();
      this.#phases.updateBuffer(playable, this.#safeBuffer);
      // Audio segments are small and use the video's pace, so one may still be in flight.
      this.#phases.prefetched(mediaType === 'video' ? state.buffer : playable);
    }
    if (!this.options.pacing) return { pace: null, reason: 'switched-off' };
    if (NON_HTTP_SCHEME.test(origin ?? '')) return { pace: null, reason: 'not-http' };
    if (state.lowLatency) return { pace: null, reason: 'low-latency' };
    const track = this.#tracks[mediaType];
    const own = requestedPace(
      this.#setup,
      {
        phase: pacingPhase(this.#phaseFor(state)),
        state: here,
        rung,
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
    const objection =
      wanted.pace === null ? undefined : this.getConsent(origin).reasonAgainstRtp(mediaType, mayTry);
    const decision = objection ? { ...wanted, pace: null, reason: objection } : wanted;
    if (mediaType === 'video') this.#video = decision;
    return decision;
  }

  /** Returns the record of a media segment's request, with the pace to request. */
  decide(state: MediaState, rung: Rung, duration: Seconds): Decision {
    const { mediaType } = state;
    const track = this.#tracks[mediaType];
    track.previous = rung;
    track.segmentDuration = duration;
    track.lowLatency = state.lowLatency;
    const here = this.#abrState(state);
    const pace = this.choosePace(state, rung, duration, here);
    const reason = this.choosesRungs ? track.reasonFor(rung) : undefined;
    const { network, receipt } = this.#expected(state);
    const decision: Decision = {
      sequence: this.#sequence++,
      at_ms: this.#now() - this.#startedAt,
      media_type: mediaType,
      phase: this.#phaseFor(state),
      representation: rung.id,
      bitrate_kbps: rung.bitrate_kbps,
      top_bitrate_kbps: topRung(this.#allowedLadder(state)).bitrate_kbps,
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
    return this.#origins.getOrigin(origin).consent;
  }

  /** Learns from a request that has ended, and returns the completed record. */
  complete(decision: Decision, transfer: Transfer): CompletedDecision {
    const { size = 0, bound = () => kbps(0) } = this.#expectations.get(decision) ?? {};
    // Delete the entry, because garbage collection has to visit each entry of a WeakMap.
    this.#expectations.delete(decision);
    const { network, learned } = this.#origins.learnFrom(
      decision,
      transfer,
      bound,
      this.#hasPlausibleTimes(decision.playback_rate, transfer),
    );
    const completed = completeDecision(
      decision,
      transfer,
      learned,
      network.pacingHonored,
      this.options.sidecar,
    );
    this.#recorder?.completed(completed);
    const track = this.#tracks[decision.media_type];
    if (transfer.outcome === 'completed' && size > 0)
      track.bitrates.add(
        decision.representation,
        transfer.size_bytes / size,
        seconds(decision.segment_duration_s),
      );
    if (learned.isNetworkSample) {
      track.addWait((transfer.waited_ms ?? 0) / 1000);
      // Algorithms receive a response that may be from a cache as a lower bound: the throughput is at least the
      // expected throughput.
      const share = track.deadlineShare(decision.playback_rate);
      const shown = learned.mayBeCached
        ? { achieved_kbps: null, pace_limited: true }
        : share < 1 && { achieved_kbps: (learned.achieved ?? 0) * share };
      track.observe({ type: 'download', download: shown ? { ...completed, ...shown } : completed });
    }
    return completed;
  }

  // -------------------------------------------------------------------------

  /**
   * Whether the times of a request are plausible: during playback, not much longer than the content played in that
   * time. If the device sleeps or a debugger pauses the page, they are longer.
   */
  #hasPlausibleTimes(rate: number, { waited_ms = 0, download_ms, advanced_s = NaN }: Transfer): boolean {
    const elapsed_ms = waited_ms + download_ms;
    const unplayed_s = elapsed_ms / 1000 - advanced_s / rate;
    const now = this.#now();
    // In the recovery phase, a stall may be part of the request's time.
    const plays =
      this.phase === 'playing' ? !this.#stalls.stalledFor(now) : this.#stalls.playsSince(now - elapsed_ms);
    return !(plays && unplayed_s > LONGEST_UNPLAYED_S);
  }

  /**
   * Returns the phase of a request. A replacement for the segment that is playing counts as recovery, so it is unpaced,
   * because the viewer sees the lower quality until it arrives.
   */
  #phaseFor({ playhead, nextSegmentAt }: MediaState): Phase {
    const { phase } = this.#phases;
    return phase === 'playing' && playhead !== undefined && nextSegmentAt <= playhead ? 'recovery' : phase;
  }

  #expected({ mediaType, origin }: ChoiceState): Origin {
    return this.#origins.getExpected(mediaType, origin);
  }

  /** Returns the state that algorithms receive. */
  #abrState(state: ChoiceState): AbrState {
    const { mediaType, buffer, maxBuffer, bufferTarget, playbackRate, nextSegmentAt } = state;
    const { options, sizes = state.sizes } = this.#setup;
    const { network, receipt } = this.#expected(state);
    const expected = network.expectedThroughput(mediaType);
    // With a ceiling, downloads arrive no faster than the ceiling, and the samples of paced downloads do not show this
    // limit.
    const ceiling = Math.min(options.ceiling_kbps, network.ceiling(mediaType));
    const paced = options.pacing ? Math.min(expected, GOODPUT_OF_PACE * ceiling) : expected;
    const track = this.#tracks[mediaType];
    const { previous, downloads, segmentDuration, lowLatency, bitrates } = track;
    // Copying each property is several times faster in V8 than a spread of `state`.
    return {
      mediaType,
      buffer,
      maxBuffer,
      bufferTarget,
      playbackRate,
      nextSegmentAt,
      ladder: bitrates.correctLadder(this.#allowedLadder(state)),
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
  #allowedLadder({ mediaType, ladder }: Pick<ChoiceState, 'mediaType' | 'ladder'>): Ladder {
    const limited = mediaType === 'video' && this.choosesRungs;
    return limited ? rungsUpTo(ladder, kbps(this.options.max_bitrate_kbps)) : ladder;
  }

  #observe(event: AbrEvent): void {
    this.#tracks.video.observe(event);
    this.#tracks.audio.observe(event);
  }

  #stallEnded(stalled_ms: Milliseconds | undefined): void {
    if (stalled_ms === undefined) return;
    this.#recorder?.rebuffered(stalled_ms);
    this.#phases.stalled();
    this.#observe({ type: 'stall', duration: stalled_ms });
  }

  /** The longer duration of the latest video segment and the latest audio segment, s. */
  get #longestSegment(): number {
    return Math.max(this.#tracks.video.segmentDuration, this.#tracks.audio.segmentDuration);
  }

  /**
   * The buffer level that ends the recovery phase. It is lower for a short live window: a level that is never reached
   * would disable pacing.
   */
  get #safeBuffer(): Seconds {
    const longest = this.#longestSegment;
    const reached = Math.max(longest, this.#bufferTarget - longest);
    return seconds(Math.min(this.options.safe_buffer_s, reached));
  }
}
