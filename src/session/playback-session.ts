/**
 * The state of one session and the events that change it: options, phase, stalls and play delay. Players' adapters and
 * the lab report each event of playback here. `Sammy` extends the class with the decisions, which depend on this state.
 * This module must not choose rungs or paces, and must not depend on the player.
 */
import type { AbrEvent } from '../abr/abr.ts';
import type { Phase, PhaseChange } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { LearningEnvironment } from '../learning/network-model.ts';
import { Origins } from '../learning/origins.ts';
import type { Transfer } from '../learning/transfer.ts';
import { resolveOptions, type ResolvedOptions, type SammyOptions } from '../options.ts';
import { kbps, seconds, type Milliseconds, type Seconds } from '../units.ts';
import { PhaseMachine } from './phase.ts';
import { createSetup, sameAlgorithm, type Setup } from './setup.ts';
import { StallDetector } from './stalls.ts';
import type { MediaState } from './state.ts';
import type { SessionRecorder } from './summary.ts';
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
 * The plausible lag of the playhead behind the clock during a download, s, for example due to a short pause or a seek
 * back.
 */
const LONGEST_UNPLAYED_S = 5;

/** The state of a session, and the events of its playback. */
export abstract class PlaybackSession {
  /** The present options, and the algorithm, policy and sizes that they select. */
  protected currentSetup: Setup;
  protected readonly mediaTracks: Readonly<Record<MediaType, Track>>;
  protected readonly origins: Origins;
  /** Returns the time since the session's start, ms. */
  protected readonly elapsed: () => number;
  protected readonly recorder: SessionRecorder | undefined;
  readonly #phases: PhaseMachine;
  readonly #stalls = new StallDetector();
  readonly #now: () => Milliseconds;
  #requestedAt: Milliseconds;
  /** The latest buffer target that the player reported. */
  #bufferTarget = seconds(Infinity);

  constructor(options: SammyOptions, environment: Environment) {
    this.currentSetup = createSetup(resolveOptions(options));
    this.mediaTracks = {
      video: new Track(openSession(this.currentSetup)),
      audio: new Track(openSession(this.currentSetup)),
    };
    this.origins = new Origins({
      ...environment,
      defaultThroughput: () => kbps(this.options.default_throughput_kbps),
    });
    this.recorder = environment.summary?.();
    this.#phases = new PhaseMachine(environment.phaseChanged);
    this.#now = environment.now;
    const startedAt = (this.#requestedAt = environment.now());
    this.elapsed = () => environment.now() - startedAt;
  }

  get options(): ResolvedOptions {
    return this.currentSetup.options;
  }

  get phase(): Phase {
    return this.#phases.phase;
  }

  /**
   * Changes options for the following requests. Throws the same errors as the constructor; the options are then
   * unchanged.
   */
  update(options: SammyOptions): void {
    const setup = createSetup(resolveOptions(options, this.options));
    if (!sameAlgorithm(setup.options, this.options)) {
      const [video, audio] = [openSession(setup), openSession(setup)];
      this.mediaTracks.video.replaceAlgorithm(video);
      this.mediaTracks.audio.replaceAlgorithm(audio);
    }
    this.currentSetup = setup;
  }

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
    this.#stallEnded(this.#stalls.playing(this.#now()));
    if (this.phase === 'initial' || this.phase === 'preload') {
      this.recorder?.playbackStarted(this.#now() - this.#requestedAt);
      this.origins.getOrigin().network.storeInitialThroughput();
      this.#phases.startedToPlay();
    }
  }

  /**
   * Call it if Sammy is attached during playback: there is then no play delay to measure and no initial phase to store.
   */
  attachedMidPlayback(): void {
    this.#stalls.playing(this.#now());
    this.#phases.startedToPlay();
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
    this.recorder?.seeked();
    this.#phases.seeked(bufferAhead, seconds(Math.max(MIN_BUFFER_AFTER_SEEK_S, this.#longestSegment)));
    this.#observe({ type: 'seek' });
  }

  /**
   * Reports the playhead's presentation time. `playable` returns the seconds buffered ahead of the playhead, and is
   * slow in a page. Call `playhead` several times a second during playback, because the buffer level is highest just
   * after a segment has arrived, and not at the next request.
   */
  playhead(time: Seconds, playable: () => Seconds): void {
    this.recorder?.playhead(time);
    if (this.phase === 'recovery') this.#phases.updateBuffer(playable(), this.#safeBuffer);
  }

  /** The length of the current rebuffer so far; undefined when there is none. */
  protected get stalledFor(): Milliseconds | undefined {
    return this.#stalls.stalledFor(this.#now());
  }

  /** Updates the phase before a request, from the player's state. */
  protected requesting(state: MediaState): void {
    // Enter the recovery phase during a stall. The event `playing`, which ends the stall, comes later.
    if (this.stalledFor !== undefined) this.#phases.stalled();
    this.#bufferTarget = state.bufferTarget;
    if (this.phase === 'playing') return;
    const playable = state.playable();
    this.#phases.updateBuffer(playable, this.#safeBuffer);
    // Audio segments are small and use the video's pace, so one may still be in flight.
    this.#phases.prefetched(state.mediaType === 'video' ? state.buffer : playable);
  }

  /**
   * Returns the phase of a request. A replacement for the segment that is playing counts as recovery, so it is unpaced,
   * because the viewer sees the lower quality until it arrives.
   */
  protected phaseFor({ playhead, nextSegmentAt }: MediaState): Phase {
    const { phase } = this.#phases;
    return phase === 'playing' && playhead !== undefined && nextSegmentAt <= playhead ? 'recovery' : phase;
  }

  /**
   * Whether the times of a request are plausible: during playback, not much longer than the content played in that
   * time. If the device sleeps or a debugger pauses the page, they are longer.
   */
  protected hasPlausibleTimes(
    rate: number,
    { waited_ms = 0, download_ms, advanced_s = NaN }: Transfer,
  ): boolean {
    const elapsed_ms = waited_ms + download_ms;
    const unplayed_s = elapsed_ms / 1000 - advanced_s / rate;
    // In the recovery phase, a stall may be part of the request's time.
    const plays =
      this.phase === 'playing' ? !this.stalledFor : this.#stalls.playsSince(this.#now() - elapsed_ms);
    return !(plays && unplayed_s > LONGEST_UNPLAYED_S);
  }

  #observe(event: AbrEvent): void {
    this.mediaTracks.video.observe(event);
    this.mediaTracks.audio.observe(event);
  }

  #stallEnded(stalled_ms: Milliseconds | undefined): void {
    if (stalled_ms === undefined) return;
    this.recorder?.rebuffered(stalled_ms);
    this.#phases.stalled();
    this.#observe({ type: 'stall', duration: stalled_ms });
  }

  /** The longer duration of the latest video segment and the latest audio segment, s. */
  get #longestSegment(): number {
    return Math.max(this.mediaTracks.video.segmentDuration, this.mediaTracks.audio.segmentDuration);
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
