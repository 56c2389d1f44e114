import { algorithm1 } from '../pace/algorithm-1.ts';
import type { AbrAlgorithm, AbrChoice, AbrState } from '../abr/abr.ts';
import { abandonFor, type Progress } from './abandon.ts';
import type { CompletedDecision, Decision, MediaType } from './decision.ts';
import type { InitialThroughputHistory, Remembered } from '../learning/history.ts';
import { EdgeTrust, type PacingHonored } from '../learning/edge-trust.ts';
import { hyb } from '../abr/hyb.ts';
import { topOf, type Rung } from '../film/ladder.ts';
import { beforeTimeout } from '../pace/before-timeout.ts';
import { Replacement } from './replacement.ts';
import { resolveOptions, type ResolvedOptions, type SammyOptions } from '../options.ts';
import { asRtp, GOODPUT_OF_PACE, type PaceDecision, type PaceInput, type PacePolicy } from '../pace/pace.ts';
import { PhaseMachine, type Phase, type PhaseChange } from './phase.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { sizesFromSidecar, ssimAt } from '../film/sidecar.ts';
import { StallDetector } from './stalls.ts';
import { SessionRecorder, type SessionSummary } from './summary.ts';
import {
  isLowerBound,
  ThroughputEstimator,
  throughputOf,
  withoutWaits,
  type ThroughputSample,
} from '../learning/throughput.ts';
import {
  bytes,
  kbps,
  milliseconds,
  rateOf,
  seconds,
  type Kbps,
  type Milliseconds,
  type Seconds,
} from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { withoutUndefined } from '../records.ts';

/** The world as the core sees it. */
export interface Surroundings {
  /** A monotonic clock, ms. */
  readonly now: () => Milliseconds;
  /** The calendar's clock, ms since 1970: entries of the history age by it. */
  readonly today: () => Milliseconds;
  /** The memory of initial-phase throughput; without it nothing is remembered. */
  readonly history?: InitialThroughputHistory | undefined;
  /** Is told when the phase changes. */
  readonly phaseChanged?: ((change: PhaseChange) => void) | undefined;
  /** Tells one network and server from another, as far as one can: what is remembered belongs to it. */
  readonly place?: (() => string) | undefined;
}

/** What a rung of one media type is chosen by. */
export interface ChoiceState extends AbrState {
  readonly mediaType: MediaType;
  /** Presentation time that plays, where the player tells it. */
  readonly playhead?: Seconds | undefined;
}

/** One media type's situation before a request, as the player tells it. */
export interface MediaState extends ChoiceState {
  /** What can be played without a stall: content that is buffered of all media types. */
  readonly playable: Seconds;
  /** The buffer the player fills up to at the top rung. */
  readonly maxBuffer: Seconds;
  /** The buffer it fills up to at any rung. */
  readonly bufferTarget: Seconds;
  /** A live stream whose segments are sent while they are made. */
  readonly lowLatency: boolean;
  /** After so long the player gives a request up; undefined where it never does. */
  readonly requestTimeout?: Seconds | undefined;
}

/** The segment that is about to be requested. */
export interface SegmentRequest {
  readonly rung: Rung;
  readonly start_s: number;
  readonly duration_s: number;
}

/** How a request ended. */
export interface Transfer {
  readonly outcome: CompletedDecision['outcome'];
  readonly size_bytes: number;
  readonly download_ms: number;
  /** Without the waits for the encoder of low-latency live, where the player can tell. */
  readonly receiving_ms?: number | undefined;
  readonly receipt: Receipt;
  /** The browser had it in its cache. */
  readonly from_cache?: boolean;
}

/**
 * A seek to less than a segment's worth, and to less than this, is one that emptied the buffer: the paced
 * segment after it, which takes a third of its duration and more, might come too late.
 */
const LEAST_AFTER_SEEK_S = 1;

/** A buffer that is empty before a download can be judged (`GRACE_S` of abandon.ts). */
const NEARLY_EMPTY_S = 0.5;

/**
 * Sammy for one playback session: it is told what happens and asked what to do. It knows no player, no
 * clock and no storage of its own.
 *
 * The way of a segment: `chooseRung` -> the player requests it -> `decide` -> the bytes arrive -> `complete`.
 */
export class Sammy {
  #setup: Setup;
  readonly #surroundings: Surroundings;
  readonly #startedAt: Milliseconds;
  #requestedAt: Milliseconds;
  #sequence = 0;
  /** Of the last segment that was requested. */
  #segmentDuration = seconds(0);
  /** As the player told it last. */
  #bufferTarget = seconds(Infinity);
  readonly #phases: PhaseMachine;
  readonly #stalls = new StallDetector();
  readonly #recorder = new SessionRecorder();
  readonly #estimators = new Map<MediaType, ThroughputEstimator>();
  readonly #choices = new Map<MediaType, AbrChoice>();
  /** Of the segment that was requested last. */
  #lowLatency = false;
  readonly #current = new Map<MediaType, Rung>();
  /** Of an edge that paces lower than it is asked to. */
  readonly #ceilings = new Map<MediaType, Kbps>();
  /** What was last asked for with video. */
  #videoPace: Kbps | null = null;
  readonly #replacement = new Replacement();
  readonly #trust = new EdgeTrust();

  constructor(options: SammyOptions, surroundings: Surroundings) {
    this.#setup = setupOf(resolveOptions(options));
    this.#surroundings = surroundings;
    this.#phases = new PhaseMachine(surroundings.phaseChanged);
    this.#startedAt = this.#requestedAt = surroundings.now();
  }

  get options(): ResolvedOptions {
    return this.#setup.options;
  }

  get phase(): Phase {
    return this.#phases.phase;
  }

  get summary(): SessionSummary {
    const stalling_ms = this.#stalls.stalledFor(this.#surroundings.now());
    return { ...this.#recorder.summary(stalling_ms), pacing_honored: this.pacingHonored };
  }

  /** Does the edge pace as it is asked to? */
  get pacingHonored(): PacingHonored {
    return this.#trust.honored;
  }

  /** Changes options from the next request on. Throws as the constructor does, and then changes nothing. */
  update(options: SammyOptions): void {
    this.#setup = setupOf(resolveOptions(options, this.options));
  }

  // What happens ------------------------------------------------------------

  /** The viewer asked for playback: the play delay counts from here. */
  playbackRequested(): void {
    this.#requestedAt = this.#surroundings.now();
    this.#phases.playbackRequested();
  }

  /** Playback is to begin when the viewer asks for it, and not before. */
  awaitViewer(): void {
    this.#phases.awaitViewer();
  }

  playing(): void {
    const { now: clock, history, today } = this.#surroundings;
    const now = clock();
    this.#stallEnded(this.#stalls.playing(now));
    if (!this.#phases.started) {
      this.#recorder.playbackStarted(now - this.#requestedAt);
      const measured = this.#recorder.initialThroughput_kbps;
      if (measured !== null) history?.add(kbps(measured), today(), this.#place);
      this.#phases.playbackStarted();
    }
  }

  /** Playback is under way already: there is no play delay to measure, and no initial phase to remember. */
  joined(): void {
    this.#stalls.playing(this.#surroundings.now());
    this.#phases.playbackStarted();
  }

  waiting(): void {
    this.#stalls.waiting(this.#surroundings.now());
  }

  /** The viewer stopped playback; what he waits for from here on is himself. */
  paused(): void {
    this.#stallEnded(this.#stalls.paused(this.#surroundings.now()));
  }

  /** A seek to a place with `bufferAhead` seconds already there. */
  seeking(bufferAhead: Seconds): void {
    this.#stallEnded(this.#stalls.seeking(this.#surroundings.now()));
    this.#recorder.sought();
    this.#phases.sought(bufferAhead, seconds(Math.max(LEAST_AFTER_SEEK_S, this.#segmentDuration)));
  }

  /**
   * The playhead is at `time` of the presentation, with `playable` ahead of it; call it while playing, a few times
   * a second. A buffer is fullest just after a segment has arrived, and not when the next one is asked for.
   */
  playhead(time: Seconds, playable: Seconds): void {
    this.#recorder.playhead(time);
    this.#phases.bufferIs(playable, this.#safeBuffer);
  }

  // What to do --------------------------------------------------------------

  /**
   * The throughput to expect before the first sample: from earlier sessions, else the default. In between, as far as the
   * memory is trusted, in ratios: what is half trusted of 16 times the default is 4 times the default.
   */
  get initialThroughput(): Kbps {
    const { default_throughput_kbps } = this.options;
    const remembered = this.#remembered();
    if (!remembered) return kbps(default_throughput_kbps);
    const { throughput, trust } = remembered;
    return kbps(default_throughput_kbps * (throughput / default_throughput_kbps) ** trust);
  }

  /** What the network carries, as the downloads of the media type tell; undefined while nothing is known. */
  estimate(mediaType: MediaType): Kbps | undefined {
    return this.#estimator(mediaType).estimate;
  }

  /** The rung for the next segment. The player may ask as often as it likes. */
  chooseRung(state: ChoiceState): AbrChoice {
    const { mediaType } = state;
    const estimate = this.estimate(mediaType) ?? this.initialThroughput;
    // What is paced below the network arrives no faster than that, and no sample will say so.
    const { pacing, ceiling_kbps } = this.options;
    const ceiling = Math.min(ceiling_kbps, this.#ceilings.get(mediaType) ?? Infinity);
    const throughput = pacing ? kbps(Math.min(estimate, GOODPUT_OF_PACE * ceiling)) : estimate;
    const choice: AbrChoice =
      state.ladder.length === 1
        ? { rung: state.ladder[0], reason: 'single-rung' }
        : this.#setup.algorithm.choose(this.#withSizes(state), throughput);
    this.#choices.set(mediaType, choice);
    return choice;
  }

  /** Whether a switch up to `rung` is to replace what is buffered. */
  replacementPays({ mediaType, buffer, ladder }: ChoiceState, rung: Rung): boolean {
    const throughput = this.#estimator(mediaType).estimate ?? this.initialThroughput;
    return this.#replacement.pays(buffer, ladder, rung, throughput);
  }

  /** The rung to begin a segment anew with, when its download in flight had better be given up. */
  chooseAbandonment(state: MediaState, current: Rung, progress: Progress): Rung | undefined {
    const { mediaType, playhead, buffer, nextSegmentAt } = state;
    const duration = this.#segmentDuration;
    const rung = abandonFor(this.#withSizes(state), current, progress, {
      // Where the buffer is about to be empty, what replaces a part of it is of no use.
      replacement:
        buffer > NEARLY_EMPTY_S && nextSegmentAt + duration / 2 < (playhead ?? nextSegmentAt) + buffer,
      initial: this.#phases.phase === 'initial',
      duration,
    });
    if (rung) this.#choices.set(mediaType, { rung, reason: 'instead-of-abandoned' });
    return rung;
  }

  /** The pace to ask for, also with a request that is no media segment (an initialization segment, an index). */
  choosePace(state: MediaState, rung: Rung, duration?: Seconds): PaceDecision {
    this.#noticeStall();
    this.#bufferTarget = state.bufferTarget;
    this.#phases.bufferIs(state.playable, this.#safeBuffer);
    // Sound, which is small and goes at the picture's pace, may still be on its way.
    this.#phases.fetched(state.mediaType === 'video' ? state.buffer : state.playable);
    if (!this.options.pacing) return { pace: null, reason: 'switched-off' };
    if (state.lowLatency) return { pace: null, reason: 'low-latency' };
    const here = this.#withSizes(state);
    const choice = this.#setup.policy.choosePace({
      phase: pacingPhase(this.#phaseFor(state)),
      state: here,
      rung,
      duration,
      maxBuffer: state.maxBuffer,
      abr: this.#setup.algorithm,
      weakest: this.#estimator(state.mediaType).weakest(this.#surroundings.now()),
    });
    const inTime = beforeTimeout(choice, here, rung, duration, state.requestTimeout);
    const decision = asRtp(inTime, kbps(this.options.ceiling_kbps));
    if (state.mediaType === 'video') this.#videoPace = decision.pace;
    else if (decision.pace !== null && this.#videoPace !== null && this.#videoPace > decision.pace) {
      return { ...decision, pace: this.#videoPace, reason: 'as-video' };
    }
    return decision;
  }

  /** The record of a media segment's request, with the pace to ask for. */
  decide(state: MediaState, { rung, start_s, duration_s }: SegmentRequest): Decision {
    this.#segmentDuration = seconds(duration_s);
    this.#current.set(state.mediaType, rung);
    this.#lowLatency = state.lowLatency;
    const here = { ...state, nextSegmentAt: seconds(start_s) };
    const pace = this.choosePace(here, rung, seconds(duration_s));
    const choice = this.#choices.get(state.mediaType);
    const own = this.options.abr !== 'player' && choice?.rung.id === rung.id;
    return {
      sequence: this.#sequence++,
      at_ms: this.#surroundings.now() - this.#startedAt,
      media_type: state.mediaType,
      phase: this.#phaseFor(here),
      representation: rung.id,
      bitrate_kbps: rung.bitrate_kbps,
      top_bitrate_kbps: topOf(state.ladder).bitrate_kbps,
      segment_start_s: start_s,
      segment_duration_s: duration_s,
      buffer_s: state.buffer,
      playback_rate: state.playbackRate,
      low_latency: state.lowLatency,
      estimate_kbps: this.estimate(state.mediaType) ?? null,
      abr_reason: own ? choice.reason : 'player',
      requested_kbps: pace.pace,
      pace_reason: pace.reason,
      multiplier: pace.multiplier ?? null,
      bound_kbps: pace.bound ?? null,
    };
  }

  /** The request has ended: learns from it, and returns the completed record. */
  complete(decision: Decision, transfer: Transfer): CompletedDecision {
    const { receipt, size_bytes, download_ms } = transfer;
    const arrived = size_bytes > 0 && download_ms > 0;
    // What comes sooner than the network goes there and back, its receipt with it, was kept somewhere on this side.
    const from_cache = transfer.from_cache === true || (arrived && download_ms < leastRoundTrip(receipt));
    // An error page is served without a pace, and says nothing of the network either.
    const tells = arrived && !from_cache && transfer.outcome !== 'failed';
    const [size, duration] = [bytes(size_bytes), seconds(download_ms / 1000)];
    const asked = {
      requested: decision.requested_kbps === null ? null : kbps(decision.requested_kbps),
      applied: receipt.pace_kbps,
      socket: receipt.socket_pace_kbps,
    };
    const pace = tells ? this.#trust.observe({ ...asked, size, duration }) : null;
    if (pace !== null && asked.requested !== null) {
      this.#ceilings.set(decision.media_type, pace < asked.requested ? pace : kbps(Infinity));
    }
    const sample: ThroughputSample = {
      size,
      duration,
      pace: pace ?? undefined,
      encoded: decision.low_latency ? rateOf(size, seconds(decision.segment_duration_s)) : undefined,
      rtt: receipt.min_rtt_ms ?? receipt.rtt_ms,
      at: this.#surroundings.now(),
    };
    const lowerBound = tells && isLowerBound(sample);
    if (tells) {
      const inChunks = withoutWaits(sample, milliseconds(transfer.receiving_ms ?? 0));
      this.#learn(decision.media_type, inChunks, lowerBound);
    }
    const { sidecar } = this.options;
    const ssim_db =
      sidecar &&
      ssimAt(sidecar, decision.representation, decision.segment_start_s + decision.segment_duration_s / 2);
    const completed = withoutUndefined<CompletedDecision>({
      ...decision,
      outcome: transfer.outcome,
      size_bytes,
      download_ms,
      achieved_kbps: arrived ? throughputOf(sample) : null,
      pace_limited: lowerBound,
      pacing_honored: this.pacingHonored,
      from_cache: from_cache || undefined,
      ...ofReceipt(receipt),
      ssim_db,
    });
    this.#recorder.completed(completed);
    return completed;
  }

  // -------------------------------------------------------------------------

  /** Who waits for something better than what already plays, waits. */
  #phaseFor({ playhead, nextSegmentAt }: MediaState): Phase {
    const { phase } = this.#phases;
    return phase === 'playing' && playhead !== undefined && nextSegmentAt <= playhead ? 'recovery' : phase;
  }

  #remembered(): Remembered | undefined {
    const { history, today } = this.#surroundings;
    return history?.estimate(today(), this.#place);
  }

  get #place(): string {
    return this.#surroundings.place?.() ?? '';
  }

  #estimator(mediaType: MediaType): ThroughputEstimator {
    let estimator = this.#estimators.get(mediaType);
    if (!estimator) {
      estimator = new ThroughputEstimator();
      if (this.#remembered()) estimator.seed(this.initialThroughput);
      this.#estimators.set(mediaType, estimator);
    }
    return estimator;
  }

  #learn(mediaType: MediaType, sample: ThroughputSample, lowerBound: boolean): void {
    const estimator = this.#estimator(mediaType);
    // "At least this much" takes nothing away from what is assumed.
    if (lowerBound && estimator.estimate === undefined) estimator.seed(this.initialThroughput);
    estimator.add(sample);
  }

  #withSizes(state: ChoiceState): AbrState {
    return {
      ...state,
      sizes: this.#setup.sizes ?? state.sizes,
      current: this.#current.get(state.mediaType),
      inChunks: this.#lowLatency,
      ...(this.#segmentDuration > 0 && { segmentDuration: this.#segmentDuration }),
    };
  }

  #stallEnded(stalled_ms: Milliseconds | undefined): void {
    if (stalled_ms === undefined) return;
    this.#recorder.rebuffered(stalled_ms);
    this.#phases.stalled();
  }

  /** A stall that still goes on is known before `playing` ends it. */
  #noticeStall(): void {
    if (this.#stalls.stalledFor(this.#surroundings.now()) !== undefined) this.#phases.stalled();
  }

  /** What the buffer never reaches would leave a short live window unpaced for good. */
  get #safeBuffer(): Seconds {
    const reached = Math.max(this.#segmentDuration, this.#bufferTarget - this.#segmentDuration);
    return seconds(Math.min(this.options.safe_buffer_s, reached));
  }
}

/** What is fetched before anybody asks for it is paced as if it played. */
const pacingPhase = (phase: Phase): PaceInput['phase'] => (phase === 'preload' ? 'playing' : phase);

/** The options, and who does what they ask for. */
interface Setup {
  readonly options: ResolvedOptions;
  readonly algorithm: AbrAlgorithm;
  readonly policy: PacePolicy;
  readonly sizes: SegmentSizes | undefined;
}

function setupOf(options: ResolvedOptions): Setup {
  const { abr, pace, sizes, sidecar } = options;
  return {
    options,
    // With dash.js choosing, HYB's bound is the best guess of what a choice of the top rung needs.
    algorithm: typeof abr === 'string' ? hyb(options) : abr,
    policy: pace === 'sammy' ? algorithm1(options) : pace,
    // A sidecar gives the sizes, unless they come from elsewhere.
    sizes: sizes ?? (sidecar && sizesFromSidecar(sidecar)),
  };
}

const leastRoundTrip = ({ min_rtt_ms, rtt_ms }: Receipt): number => min_rtt_ms ?? rtt_ms ?? 0;

/** A receipt's fields under the names of the decision record. */
const ofReceipt = ({
  pace_kbps,
  reason,
  etp_kbps,
  etp_limited_by,
  cwnd_packets,
  socket_pace_kbps,
  ...rest
}: Receipt) => ({
  ...rest,
  applied_kbps: pace_kbps,
  edge_reason: reason,
});
