import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrState } from '../abr/abr.ts';
import { ALGORITHMS } from '../abr/algorithms.ts';
import type { CompletedDecision, Decision, PacingHonored, Phase, PhaseChange } from '../decision.ts';
import { nextSegment } from '../abr/lookahead.ts';
import { topOf, upTo, type Ladder, type Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import { segmentAt, type SegmentSizes } from '../film/segments.ts';
import type { LearningSurroundings } from '../learning/network-model.ts';
import { Origins, type Origin } from '../learning/origins.ts';
import type { Consent } from '../learning/consent.ts';
import type { Transfer } from '../learning/transfer.ts';
import { resolveOptions, type ResolvedOptions, type SammyOptions } from '../options.ts';
import { algorithm1 } from '../pace/algorithm-1.ts';
import { belowNetwork } from '../pace/below-network.ts';
import { beforeTimeout } from '../pace/before-timeout.ts';
import { asRtp, GOODPUT_OF_PACE, type PaceDecision, type PacePolicy, type PaceInput } from '../pace/pace.ts';
import { withoutUndefined } from '../records.ts';
import { kbps, seconds, type Bytes, type Kbps, type Milliseconds, type Seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { abandonFor, type Progress } from './abandon.ts';
import { PhaseMachine } from './phase.ts';
import { PLAYER_RULES } from './player-rules.ts';
import { replacementPays } from './replacement.ts';
import { StallDetector } from './stalls.ts';
import type { ChoiceState, MediaState, Situation } from './state.ts';
import type { SessionRecorder, SessionSummary } from './summary.ts';
import { openSession, Track } from './track.ts';

/** The world as the core sees it. */
export interface Surroundings extends LearningSurroundings {
  /** Is told when the phase changes. */
  readonly phaseChanged?: ((change: PhaseChange) => void) | undefined;
  /** Makes what keeps the session's summary; without it there is none. */
  readonly summary?: (() => SessionRecorder) | undefined;
}

/**
 * A seek to less than a segment's worth, and to less than this, is one that emptied the buffer: the paced
 * segment after it, which takes a third of its duration and more, might come too late.
 */
const LEAST_AFTER_SEEK_S = 1;

/** Of its duration, what is buffered before a segment tries whether its origin answers: half of that is waited for an answer. Ours. */
const TRIAL_FROM = 0.75;

/** A wait that a page's own work explains, and no interceptor's. Ours. */
const SHORT_WAIT_S = 0.1;
/** What the playhead may lag behind the clock: a short pause, or a seek back. Ours. */
const LONGEST_UNPLAYED_S = 5;
/** What a segment has at least of its time where its request waits for most of it: then no rung can be held. Ours. */
const LEAST_SHARE = 0.1;

/** Of `blob:`, `data:` or an application's own scheme, where no server paces. A relative URL is none of them. */
const ANOTHER_SCHEME = /^(?!https?:)[a-z][\w+.-]*:/i;

/** With this multiple of its bitrate HYB chooses a rung at any buffer: 1.2, its margin for a switch up, over β. */
const AMPLE = 1.5;

/** A buffer that is empty before a download can be judged (`GRACE_S`). */
const NEARLY_EMPTY_S = 0.5;

/**
 * Sammy for one playback session: it is told what happens and asked what to do. It knows no player, no
 * clock and no storage of its own.
 *
 * The way of a segment: `chooseRung` -> the player requests it -> `decide` -> the bytes arrive -> `complete`.
 */
export class Sammy {
  #setup: Setup;
  readonly #now: () => Milliseconds;
  readonly #startedAt: Milliseconds;
  #requestedAt: Milliseconds;
  #sequence = 0;
  /** As the player told it last. */
  #bufferTarget = seconds(Infinity);
  /** What was last asked for with video. */
  #video: PaceDecision | undefined;
  readonly #phases: PhaseMachine;
  readonly #origins: Origins;
  readonly #stalls = new StallDetector();
  readonly #recorder: SessionRecorder | undefined;
  readonly #tracks: Readonly<Record<MediaType, Track>>;
  /** Of each decision, the size that was expected, and the throughput from which on the next higher rung would follow. */
  readonly #expectations = new WeakMap<Decision, { readonly size: Bytes; readonly bound: () => Kbps }>();

  constructor(options: SammyOptions, surroundings: Surroundings) {
    this.#setup = setupOf(resolveOptions(options));
    this.#tracks = { video: new Track(openSession(this.#setup)), audio: new Track(openSession(this.#setup)) };
    this.#origins = new Origins({
      ...surroundings,
      defaultThroughput: () => kbps(this.options.default_throughput_kbps),
    });
    this.#phases = new PhaseMachine(surroundings.phaseChanged);
    this.#recorder = surroundings.summary?.();
    this.#now = surroundings.now;
    this.#startedAt = this.#requestedAt = surroundings.now();
  }

  get options(): ResolvedOptions {
    return this.#setup.options;
  }

  get phase(): Phase {
    return this.#phases.phase;
  }

  /** Null where none is kept. */
  get summary(): SessionSummary | null {
    const summary = this.#recorder?.summary(this.#stalls.stalledFor(this.#now()));
    return summary ? { ...summary, pacing_honored: this.pacingHonored } : null;
  }

  /** Whether Sammy chooses the rungs, and not the player's own rules. */
  get choosesRungs(): boolean {
    return this.options.abr !== 'player';
  }

  /** Does the edge pace as it is asked to? The one that answered last, with video if there is any. */
  get pacingHonored(): PacingHonored {
    return this.#origins.expected(this.#tracks.video.previous ? 'video' : 'audio').network.pacingHonored;
  }

  /** Changes options from the next request on. Throws as the constructor does, and then changes nothing. */
  update(options: SammyOptions): void {
    const setup = setupOf(resolveOptions(options, this.options));
    if (!sameAlgorithm(setup.options, this.options)) {
      const [video, audio] = [openSession(setup), openSession(setup)];
      this.#tracks.video.replaceAlgorithm(video);
      this.#tracks.audio.replaceAlgorithm(audio);
    }
    this.#setup = setup;
  }

  // What happens ------------------------------------------------------------

  /** The viewer asked for playback: the play delay counts from here. */
  playbackRequested(): void {
    this.#requestedAt = this.#now();
    this.#phases.playbackRequested();
  }

  /** Playback is to begin when the viewer asks for it, and not before. */
  awaitViewer(): void {
    this.#phases.awaitViewer();
  }

  playing(): void {
    const now = this.#now();
    this.#stallEnded(this.#stalls.playing(now));
    if (!this.#phases.started) {
      this.#recorder?.playbackStarted(now - this.#requestedAt);
      this.#origins.at().network.remember();
      this.#phases.playbackStarted();
    }
  }

  /** Playback is under way already: there is no play delay to measure, and no initial phase to remember. */
  joined(): void {
    this.#stalls.playing(this.#now());
    this.#phases.playbackStarted();
  }

  waiting(): void {
    this.#stalls.waiting(this.#now());
  }

  /** The viewer stopped playback; what he waits for from here on is himself. */
  paused(): void {
    this.#stallEnded(this.#stalls.paused(this.#now()));
  }

  /** A seek to a place with `bufferAhead` seconds already there. */
  seeking(bufferAhead: Seconds): void {
    this.#stallEnded(this.#stalls.seeking(this.#now()));
    this.#recorder?.sought();
    this.#phases.sought(bufferAhead, seconds(Math.max(LEAST_AFTER_SEEK_S, this.#longestSegment)));
    this.#observe({ type: 'seek' });
  }

  /**
   * The playhead is at `time` of the presentation, with `playable` ahead of it, which a page is slow to tell; call it while
   * playing, a few times a second. A buffer is fullest just after a segment has arrived, and not when the next one is asked for.
   */
  playhead(time: Seconds, playable: () => Seconds): void {
    this.#recorder?.playhead(time);
    if (this.phase === 'recovery') this.#phases.bufferIs(playable(), this.#safeBuffer);
  }

  /** A response from the network to a request for something else than a media segment had a receipt. */
  heard(receipt: Receipt, origin?: string): void {
    this.#origins.at(origin).receipt = receipt;
  }

  // What to do --------------------------------------------------------------

  /** The bitrate to begin with, before a ladder is known: what the algorithm would pick with nothing buffered. */
  get initialBitrate(): Kbps {
    const throughput = this.#origins.at().network.initialThroughput;
    // With nothing buffered and nominal sizes, what an algorithm needs for a rung is in proportion to its bitrate.
    const rung: Rung = { id: 'any', bitrate_kbps: throughput };
    // A session under way goes by what has arrived, and would take what has happened since for this ladder's.
    const needed = new Track(openSession(this.#setup)).requiredThroughput(
      {
        mediaType: 'video',
        ladder: [{ id: 'lowest', bitrate_kbps: kbps(1) }, rung],
        buffer: seconds(0),
        maxBuffer: seconds(Infinity),
        bufferTarget: seconds(Infinity),
        playbackRate: 1,
        nextSegmentAt: seconds(0),
        lowLatency: false,
        throughput,
        downloads: [],
      },
      rung,
    );
    return kbps(Math.min(this.options.max_bitrate_kbps, throughput * Math.min(1, throughput / needed)));
  }

  /** What the network carries, as the downloads of the media type tell; undefined while nothing is known. */
  estimate(mediaType: MediaType): Kbps | undefined {
    return this.#origins.expected(mediaType).network.estimate(mediaType);
  }

  /**
   * The rung for the next segment, and whether a switch up to it is to replace what is buffered. The player may ask as often as
   * it likes.
   */
  chooseRung(state: ChoiceState): AbrChoice & { readonly replaces: boolean } {
    const here = this.#stateOf(state);
    const { rung, reason } = this.#tracks[state.mediaType].choose(here);
    return {
      rung: state.ladder.find(({ id }) => id === rung.id) ?? rung,
      reason,
      replaces: replacementPays(here, rung),
    };
  }

  /** Whether a segment of the media type has been asked for. */
  hasAsked(mediaType: MediaType): boolean {
    return this.#tracks[mediaType].previous !== undefined;
  }

  /** The rung to begin a segment anew with, when its download in flight had better be given up. */
  chooseAbandonment(
    state: Situation,
    current: Pick<Rung, 'bitrate_kbps'>,
    ladderOf: () => Ladder | undefined,
    progress: Progress,
  ): Rung | undefined {
    const { mediaType, playhead, buffer, nextSegmentAt } = state;
    const duration = this.#tracks[mediaType].segmentDuration;
    const allowed = () => {
      const ladder = ladderOf();
      return ladder && this.#ladderOf({ mediaType, ladder });
    };
    const rung = abandonFor(state, current, allowed, this.#setup.sizes ?? state.sizes, progress, {
      // Where the buffer is about to be empty, what replaces a part of it is of no use.
      replacement:
        buffer > NEARLY_EMPTY_S && nextSegmentAt + duration / 2 < (playhead ?? nextSegmentAt) + buffer,
      initial: this.#phases.phase === 'initial',
      duration,
    });
    if (rung) this.#tracks[mediaType].chosen(rung, 'instead-of-abandoned');
    return rung;
  }

  /** The pace to ask for, also with a request that is no media segment (an initialization segment, an index). */
  choosePace(
    state: MediaState,
    nominal: Rung,
    duration?: Seconds,
    here: AbrState = this.#stateOf(state),
  ): PaceDecision {
    const { mediaType, origin } = state;
    const rung = this.#tracks[mediaType].bitrates.corrected(nominal);
    // A stall that still goes on is known before `playing` ends it.
    if (this.#stalls.stalledFor(this.#now()) !== undefined) this.#phases.stalled();
    this.#bufferTarget = state.bufferTarget;
    if (this.phase !== 'playing') {
      const playable = state.playable();
      this.#phases.bufferIs(playable, this.#safeBuffer);
      // Sound, which is small and goes at the picture's pace, may still be on its way.
      this.#phases.fetched(mediaType === 'video' ? state.buffer : playable);
    }
    if (!this.options.pacing) return { pace: null, reason: 'switched-off' };
    if (ANOTHER_SCHEME.test(origin ?? '')) return { pace: null, reason: 'not-http' };
    if (state.lowLatency) return { pace: null, reason: 'low-latency' };
    const choice = this.#setup.policy.choosePace({
      phase: pacingPhase(this.#phaseFor(state)),
      state: here,
      rung,
      duration,
      maxBuffer: state.maxBuffer,
      abr: this.#tracks[mediaType],
      carried: this.#expected(state).network.carried(mediaType),
    });
    const { pace } = choice;
    const afterWait = { ...choice, pace: pace && kbps(pace / this.#shareOf(mediaType, state.playbackRate)) };
    const inTime = beforeTimeout(afterWait, here, rung, duration, state.requestTimeout);
    const wanted = asRtp(inTime, kbps(this.options.ceiling_kbps));
    // Without a pace, where the origin would not answer a request that asks for one.
    const objection =
      wanted.pace === null
        ? undefined
        : this.consentOf(origin).ask(
            mediaType,
            !state.isFinal && state.buffer >= TRIAL_FROM * (duration ?? NaN),
          );
    const decision = objection ? { ...wanted, pace: null, reason: objection } : wanted;
    if (mediaType === 'video') return (this.#video = decision);
    const video = this.#video ?? decision;
    return decision.pace !== null && (video.reason === 'urgent' || (video.pace ?? 0) > decision.pace)
      ? { ...decision, pace: video.pace, reason: 'as-video' }
      : decision;
  }

  /** The record of a media segment's request, with the pace to ask for. */
  decide(state: MediaState, rung: Rung, duration: Seconds): Decision {
    const { mediaType } = state;
    const track = this.#tracks[mediaType];
    track.previous = rung;
    track.segmentDuration = duration;
    track.lowLatency = state.lowLatency;
    const here = this.#stateOf(state);
    const pace = this.choosePace(state, rung, duration, here);
    const reason = this.choosesRungs ? track.reasonOf(rung) : undefined;
    const { network, receipt } = this.#expected(state);
    const decision: Decision = {
      sequence: this.#sequence++,
      at_ms: this.#now() - this.#startedAt,
      media_type: mediaType,
      phase: this.#phaseFor(state),
      representation: rung.id,
      bitrate_kbps: rung.bitrate_kbps,
      top_bitrate_kbps: topOf(this.#ladderOf(state)).bitrate_kbps,
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
    const { bitrate_kbps } = track.bitrates.corrected(rung);
    this.#expectations.set(decision, {
      size: nextSegment(here, rung).size,
      bound: () => {
        const higher = here.ladder.find((other) => other.bitrate_kbps > bitrate_kbps);
        if (!higher) return kbps(AMPLE * bitrate_kbps);
        const needed = track.requiredThroughput(here, higher);
        return kbps(Math.max(1, Math.min(AMPLE, needed / higher.bitrate_kbps)) * higher.bitrate_kbps);
      },
    });
    return decision;
  }

  /** Whether the origin answers requests that ask for a pace. */
  consentOf(origin?: string): Consent {
    return this.#origins.at(origin).consent;
  }

  /** The request has ended: learns from it, and returns the completed record. */
  complete(decision: Decision, transfer: Transfer): CompletedDecision {
    const { size = 0, bound = () => kbps(0) } = this.#expectations.get(decision) ?? {};
    // Garbage collection visits the entries of a WeakMap one by one.
    this.#expectations.delete(decision);
    const { network, lesson } = this.#origins.ended(
      decision,
      transfer,
      bound,
      this.#isTimed(decision.playback_rate, transfer),
    );
    const start = seconds(decision.segment_start_s);
    const ssim_db = segmentAt(this.options.sidecar, decision.representation, start)?.ssim_db;
    const { pace_kbps, reason, ...receipt } = transfer.receipt;
    const completed: CompletedDecision = {
      // V8 is four times as fast where what is new comes before what is copied, and so is everything that reads it.
      outcome: transfer.outcome,
      size_bytes: transfer.size_bytes,
      download_ms: transfer.download_ms,
      achieved_kbps: lesson.achieved,
      pace_limited: lesson.paceLimited,
      pacing_honored: network.pacingHonored,
      ...decision,
      ...receipt,
      ...withoutUndefined<Partial<CompletedDecision>>({
        applied_kbps: pace_kbps,
        edge_reason: reason,
        from_cache: lesson.fromCache || undefined,
        ssim_db,
      }),
    };
    this.#recorder?.completed(completed);
    const track = this.#tracks[decision.media_type];
    if (transfer.outcome === 'completed' && size > 0)
      track.bitrates.add(
        decision.representation,
        transfer.size_bytes / size,
        seconds(decision.segment_duration_s),
      );
    if (lesson.tells) {
      const waited_s = (transfer.waited_ms ?? 0) / 1000;
      track.wait_s = Math.max(waited_s, (track.wait_s + waited_s) / 2);
      // What may have come from a cache was as fast as can be told, and shows algorithms no more than what is expected.
      const share = this.#shareOf(decision.media_type, decision.playback_rate);
      const shown = lesson.isDoubtful
        ? { achieved_kbps: null, pace_limited: true }
        : share < 1 && { achieved_kbps: (lesson.achieved ?? 0) * share };
      track.observe({ type: 'download', download: shown ? { ...completed, ...shown } : completed });
    }
    return completed;
  }

  // -------------------------------------------------------------------------

  /**
   * Whether the times of a request may be believed: if playback goes on, they are no longer than what was played meanwhile.
   * They are after a sleep, and where a debugger has held the page up.
   */
  #isTimed(rate: number, { waited_ms = 0, download_ms, advanced_s = NaN }: Transfer): boolean {
    const unplayed_s = (waited_ms + download_ms) / 1000 - advanced_s / rate;
    const goesOn = this.phase === 'playing' && !this.#stalls.stalledFor(this.#now());
    return !(goesOn && unplayed_s > LONGEST_UNPLAYED_S);
  }

  /** A request for what already plays, in a better quality, is unpaced: the viewer sees the worse one meanwhile. */
  #phaseFor({ playhead, nextSegmentAt }: MediaState): Phase {
    const { phase } = this.#phases;
    return phase === 'playing' && playhead !== undefined && nextSegmentAt <= playhead ? 'recovery' : phase;
  }

  /** Who is expected to answer. */
  #expected({ mediaType, origin }: ChoiceState): Origin {
    return this.#origins.expected(mediaType, origin);
  }

  /** What an algorithm may know. */
  #stateOf(state: ChoiceState): AbrState {
    const { mediaType, buffer, maxBuffer, bufferTarget, playbackRate, nextSegmentAt } = state;
    const { options, sizes = state.sizes } = this.#setup;
    const { network, receipt } = this.#expected(state);
    const expected = network.expected(mediaType);
    // What is paced below the network arrives no faster than that, and no sample will say so.
    const ceiling = Math.min(options.ceiling_kbps, network.ceiling(mediaType));
    const paced = options.pacing ? Math.min(expected, GOODPUT_OF_PACE * ceiling) : expected;
    const { previous, downloads, segmentDuration, lowLatency, bitrates } = this.#tracks[mediaType];
    // V8 is several times as fast as with a copy of all that the state has.
    return {
      mediaType,
      buffer,
      maxBuffer,
      bufferTarget,
      playbackRate,
      nextSegmentAt,
      ladder: bitrates.ladderOf(this.#ladderOf(state)),
      segmentDuration: segmentDuration > 0 ? segmentDuration : undefined,
      sizes,
      previous: previous && bitrates.corrected(previous),
      lowLatency,
      throughput: kbps(paced * this.#shareOf(mediaType, playbackRate)),
      downloads,
      receipt,
    };
  }

  /** The share of its time that a segment has to arrive in, after the wait for its request to be sent. */
  #shareOf(mediaType: MediaType, playbackRate: number): number {
    const { wait_s, segmentDuration } = this.#tracks[mediaType];
    return wait_s > SHORT_WAIT_S ? Math.max(LEAST_SHARE, 1 - (wait_s * playbackRate) / segmentDuration) : 1;
  }

  /** The rungs that may be chosen. */
  #ladderOf({ mediaType, ladder }: Pick<ChoiceState, 'mediaType' | 'ladder'>): Ladder {
    const limited = mediaType === 'video' && this.choosesRungs;
    return limited ? upTo(ladder, kbps(this.options.max_bitrate_kbps)) : ladder;
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

  /** Of the segments that were requested last: those of sound may be longer. */
  get #longestSegment(): number {
    return Math.max(this.#tracks.video.segmentDuration, this.#tracks.audio.segmentDuration);
  }

  /** What the buffer never reaches would leave a short live window unpaced for good. */
  get #safeBuffer(): Seconds {
    const longest = this.#longestSegment;
    const reached = Math.max(longest, this.#bufferTarget - longest);
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
  /** Those of the sidecar, unless they come from elsewhere. */
  readonly sizes: SegmentSizes | undefined;
}

function setupOf(options: ResolvedOptions): Setup {
  const { abr, pace, sidecar } = options;
  return {
    options,
    algorithm: typeof abr === 'object' ? abr : abr === 'player' ? PLAYER_RULES : ALGORITHMS[abr],
    policy: policyFor(pace, options),
    sizes: options.sizes ?? sidecar,
  };
}

function policyFor(pace: ResolvedOptions['pace'], options: ResolvedOptions): PacePolicy {
  if (typeof pace === 'object') return pace;
  const sammy = algorithm1(options);
  return pace === 'sammy' ? sammy : belowNetwork(sammy);
}

/** Then the algorithm keeps what it has learnt in this session. */
const sameAlgorithm = (a: ResolvedOptions, b: ResolvedOptions): boolean =>
  a.abr === b.abr && a.beta === b.beta && a.lookahead_s === b.lookahead_s;
