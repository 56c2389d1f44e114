import { MediaPlayer, type MediaPlayerClass } from 'dashjs';
import {
  attachSammy,
  sessionSummary,
  sidecar,
  type CompletedDecision,
  type SammyHandle,
  type SammyOptions,
  type SessionSummary,
} from '../../../src/index.ts';
import { armPrefix, type Arm } from '../../arms.ts';

export interface PlayerSettings {
  /** The manifest's path below the arm's prefix. */
  readonly manifest: string;
  /** The sidecar's path below the arm's prefix; null without a sidecar. */
  readonly sidecar: string | null;
  /** The buffer level at which downloads stop; null keeps dash.js's default. */
  readonly buffer_s: number | null;
  /** The multipliers of the paces: Sammy Algorithm 1. */
  readonly paces: () => Pick<SammyOptions, 'c0' | 'c1'>;
  /** The server's congestion control for this session; empty for the server's default. */
  readonly congestionControl: () => string;
}

interface Listeners {
  readonly onDecision: (decision: CompletedDecision) => void;
  readonly onLadder: (bitrates_kbps: readonly number[]) => void;
  readonly onError: (message: string) => void;
}

const longBuffer = (seconds: number) => ({
  bufferTimeDefault: seconds,
  bufferTimeAtTopQuality: seconds,
  bufferTimeAtTopQualityLongForm: seconds,
});

/**
 * One of the two players. It plays one session after another, and shows the last frame of a session until the next
 * starts.
 */
export class ArmPlayer {
  readonly #arm: Arm;
  readonly #video: HTMLVideoElement;
  readonly #settings: PlayerSettings;
  readonly #listeners: Listeners;
  #player: MediaPlayerClass | undefined;
  #sammy: SammyHandle | undefined;
  readonly #earlier: SessionSummary[] = [];
  #pacedSegments = 0;

  constructor(arm: Arm, video: HTMLVideoElement, settings: PlayerSettings, listeners: Listeners) {
    this.#arm = arm;
    this.#video = video;
    this.#settings = settings;
    this.#listeners = listeners;
  }

  get manifestUrl(): string {
    return new URL(armPrefix(this.#arm) + this.#settings.manifest, location.href).href;
  }

  /** The summaries of all sessions, including the current session. */
  get summaries(): readonly SessionSummary[] {
    const now = this.#sammy?.summary;
    return now ? [...this.#earlier, now] : this.#earlier;
  }

  /** The number of video segments of all sessions that the server paced. */
  get pacedSegments(): number {
    return this.#pacedSegments;
  }

  get decisions(): readonly CompletedDecision[] {
    return this.#sammy?.decisions ?? [];
  }

  get isPlaying(): boolean {
    return this.#player !== undefined && !this.#video.paused;
  }

  bufferLevel(type: 'video' | 'audio'): number | null {
    if (!this.#player?.isReady()) return null;
    const seconds = this.#player.getBufferLength(type);
    return Number.isFinite(seconds) ? seconds : null;
  }

  /** Starts a session at this position of the content, s. */
  start(from_s = 0): void {
    this.stop();
    const { buffer_s, sidecar: sizes, congestionControl } = this.#settings;
    const player = MediaPlayer().create();
    this.#player = player;
    player.updateSettings({
      streaming: {
        // Retry for longer than dash.js's three attempts at intervals of one second: a restarting server needs some
        // seconds to return.
        retryAttempts: { MediaSegment: 30, InitializationSegment: 30 },
        ...(buffer_s !== null && { buffer: longBuffer(buffer_s) }),
      },
    });
    // Normally the server decides about congestion control. This demo's server lets the page choose.
    const control = congestionControl();
    player.addRequestInterceptor((request) => {
      const url = new URL(request.url);
      if (control) url.searchParams.set('cc', control);
      return Promise.resolve({ ...request, url: url.href });
    });
    // For the stock player, Sammy only observes: the rules are dash.js's own, and nothing is paced.
    this.#sammy = attachSammy(player, {
      ...(this.#arm === 'sammy'
        ? { ...this.#settings.paces() }
        : { abr: 'player', pacing: false, storage: null }),
      summary: sessionSummary,
      ...(sizes !== null && { sidecar: sidecar(armPrefix(this.#arm) + sizes) }),
    });
    this.#sammy.on('decision', (decision) => {
      if (decision.media_type === 'video' && typeof decision.applied_kbps === 'number')
        this.#pacedSegments += 1;
      this.#listeners.onDecision(decision);
    });
    player.on('streamInitialized', () => {
      // A player that was replaced while its manifest loaded still emits this event, but its methods throw.
      if (player !== this.#player) return;
      this.#listeners.onLadder(
        player.getRepresentationsByType('video').map(({ bandwidth }) => bandwidth / 1000),
      );
    });
    player.on('error', ({ error }) =>
      this.#listeners.onError(typeof error === 'object' ? error.message : error),
    );
    player.initialize(this.#video, this.manifestUrl, true, from_s);
  }

  /** Applies changed paces, starting with the next request. */
  update(): void {
    if (this.#arm === 'sammy') this.#sammy?.update(this.#settings.paces());
  }

  /** Ends the session and its downloads. The last frame stays visible. */
  stop(): void {
    if (!this.#player) return;
    const summary = this.#sammy?.summary;
    if (summary) this.#earlier.push(summary);
    this.#keepPicture();
    this.#sammy?.detach();
    this.#player.destroy();
    [this.#player, this.#sammy] = [undefined, undefined];
  }

  /** Discards the summaries of the sessions so far. */
  clear(): void {
    this.stop();
    this.#earlier.length = 0;
    this.#pacedSegments = 0;
  }

  setPaused(isPaused: boolean): void {
    if (!this.#player) return;
    if (isPaused) this.#video.pause();
    else void this.#video.play();
  }

  /** Sets the current frame as the poster, which the element shows until it plays again. */
  #keepPicture(): void {
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (width === 0) return;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d')?.drawImage(this.#video, 0, 0);
    this.#video.poster = canvas.toDataURL('image/jpeg', 0.7);
  }
}
