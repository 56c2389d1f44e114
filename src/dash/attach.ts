import type { CompletedDecision, Decision, MediaType } from '../decision.ts';
import type { PacingHonored } from '../edge-trust.ts';
import { InitialThroughputHistory, type TextStorage } from '../history.ts';
import type { Ladder } from '../ladder.ts';
import type { ResolvedOptions, SammyOptions } from '../options.ts';
import type { Phase } from '../phase.ts';
import { Sammy, type Surroundings } from '../sammy.ts';
import { readSidecar, type Sidecar } from '../sidecar.ts';
import type { SessionSummary } from '../summary.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import { cameFromCache } from './browser-cache.ts';
import type { Hooks } from './hooks.ts';
import { IndexSizes } from './index-sizes.ts';
import { localStorageText } from './local-storage.ts';
import {
  ask,
  isPaceable,
  MEDIA_SEGMENT,
  type DashPlayer,
  type FragmentRequest,
  type MediaPlayerLike,
} from './player.ts';
import { RULE } from './rules.ts';
import { overrideSettings } from './settings.ts';
import { bufferAheadOf, choiceStateOf, mediaStateOf } from './state.ts';
import { installV4, type DashPlayerV4 } from './v4.ts';
import { installV5, type DashPlayerV5 } from './v5.ts';

export interface AttachOptions extends Omit<SammyOptions, 'sidecar'> {
  /** The sidecar, or where to fetch it. It is the first source's: give the next one's with `update`. */
  readonly sidecar?: Sidecar | string | undefined;
  /** Where initial-phase throughput is remembered between sessions; null remembers nothing. Default: localStorage. */
  readonly storage?: TextStorage | null | undefined;
}

export interface SammyEvents {
  /** A media segment is about to be requested. */
  request: Decision;
  /** A media segment's request has ended: the whole record. */
  decision: CompletedDecision;
  /** A session has ended, because another source was attached or Sammy was detached. */
  summary: SessionSummary;
  /** Something did not go as it should; playback goes on without it. */
  warning: string;
}

/** What `attachSammy` returns. */
export interface SammyHandle {
  readonly options: ResolvedOptions;
  readonly phase: Phase;
  /** Whether the edge paces as it is asked to; a warning tells when it turns out not to. */
  readonly pacingHonored: PacingHonored;
  /** Every request of this session that has ended. */
  readonly decisions: readonly CompletedDecision[];
  /** Of this session, as far as it has come. */
  readonly summary: SessionSummary;
  /**
   * Changes options from the next request on; throws an Error that names an option out of range. A sidecar is
   * for the source that is attached now, and goes with it; `sidecar: undefined` takes it away.
   */
  update(options: SammyOptions): void;
  /** Returns a function that takes the listener away again. */
  on<Type extends keyof SammyEvents>(type: Type, listener: (event: SammyEvents[Type]) => void): () => void;
  /** Forgets the initial-phase throughput of earlier sessions. */
  resetHistory(): void;
  /** Gives dash.js back as it was: rules, settings, requests. */
  detach(): void;
}

const NOT_HONORED =
  'the server does not pace as rtp asks it to: what it sends is taken for what the network carries';

/**
 * On a switch up dash.js downloads again, and replaces, all that it has buffered (its fast switch). At the start that is
 * the first picture; later it is many segments twice, with nothing won against a stall meanwhile.
 */
const REPLACED_UP_TO_S = 4;
const NO_FAST_SWITCH = { streaming: { buffer: { fastSwitchEnabled: false } } };

/** dash.js waits for half a second at least before another attempt; its clock has whole ms. */
const RETRIED_MS = 100;

const attached = new WeakSet<object>();

/**
 * Puts Sammy into a dash.js player (4.7 or 5), before or after its `initialize`. Throws an Error that names
 * an option out of range, an unsupported dash.js version or a player that has a Sammy already.
 */
export function attachSammy(mediaPlayer: MediaPlayerLike, options: AttachOptions = {}): SammyHandle {
  const player = mediaPlayer as DashPlayer;
  const version = ask(() => player.getVersion()) ?? 'unknown';
  const isV5 = 'addRequestInterceptor' in player;
  if (!isV5 && !version.replace(/^v/, '').startsWith('4.')) {
    throw new Error(
      `attachSammy: expected a dash.js MediaPlayer of version 4.7 or 5, got version ${version}`,
    );
  }
  if (attached.has(player)) throw new Error('attachSammy: this player has a Sammy already; detach it first');

  const { storage = localStorageText, sidecar, ...coreOptions } = options;
  const history = storage ? new InitialThroughputHistory(storage) : undefined;
  const surroundings: Surroundings = {
    now: () => milliseconds(performance.now()),
    today: () => milliseconds(Date.now()),
    history,
  };
  const initialOptions: SammyOptions =
    typeof sidecar === 'string' ? coreOptions : { ...coreOptions, sidecar };

  let sammy = new Sammy(initialOptions, surroundings);
  let decisions: CompletedDecision[] = [];
  let indexSizes = new IndexSizes();
  /** Requests under way. A retry replaces the entry of the attempt before. */
  let underWay = new WeakMap<FragmentRequest, { decision: Decision; since: number }>();

  let switchFastAgain: (() => void) | undefined;

  /** A source has been asked for in this session. */
  let begun = false;
  /** Playback begins when the viewer says so: without autoplay, or where the browser forbids it. */
  let viewerBegins = ask(() => player.getAutoPlay()) === false;

  const listeners: { [Type in keyof SammyEvents]: Set<(event: SammyEvents[Type]) => void> } = {
    request: new Set(),
    decision: new Set(),
    summary: new Set(),
    warning: new Set(),
  };
  const emit = <Type extends keyof SammyEvents>(type: Type, event: SammyEvents[Type]) => {
    for (const listener of listeners[type]) {
      // A listener's mistake is its own; the video goes on.
      void Promise.resolve(event).then(listener);
    }
  };
  const warned = new Set<string>();
  const warn = (message: string) => {
    if (warned.has(message)) return;
    warned.add(message);
    emit('warning', message);
  };
  /** Whatever goes wrong in here must not stop the video. */
  const guarded = <T>(what: string, action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };

  const stateOf = (mediaType: MediaType, ladder: Ladder, request?: FragmentRequest) =>
    mediaStateOf(player, mediaType, ladder, indexSizes.sizes, request);

  const hooks: Hooks = {
    chooseRung: (mediaType, ladder) =>
      hooks.playerChooses()
        ? undefined
        : guarded('choosing a rung', () => {
            const state = choiceStateOf(player, mediaType, ladder, indexSizes.sizes);
            if (state.buffer > REPLACED_UP_TO_S) switchFastAgain ??= overrideSettings(player, NO_FAST_SWITCH);
            return sammy.chooseRung(state);
          }),

    chooseAbandonment: (request, ladder, current, progress) =>
      guarded('abandonment', () => {
        if (!isPaceable(request.mediaType)) return undefined;
        const pace = underWay.get(request)?.decision.requested_kbps;
        return sammy.chooseAbandonment(stateOf(request.mediaType, ladder, request), current, {
          ...progress,
          pace: typeof pace === 'number' ? kbps(pace) : undefined,
        });
      }),

    requested: (request, ladder, representation) =>
      guarded('choosing a pace', () => {
        begun = true;
        if (!isPaceable(request.mediaType)) return undefined;
        if (!ladder) {
          warn(`the manifest gives no bitrates for ${request.mediaType}; its requests are not paced`);
          return sammy.options.pacing ? null : undefined;
        }
        const state = stateOf(request.mediaType, ladder, request);
        indexSizes.learn(representation.id, representation.segments);
        const rung = ladder.find(({ id }) => id === representation.id) ?? ladder[0];
        if (request.type !== MEDIA_SEGMENT) {
          const { pace } = sammy.choosePace(state, rung);
          return sammy.options.pacing ? pace : undefined;
        }
        const decision = sammy.decide(state, {
          rung,
          start_s: state.nextSegmentAt,
          duration_s: request.duration,
        });
        underWay.set(request, { decision, since: performance.now() });
        emit('request', decision);
        if (!sammy.options.pacing) return undefined;
        return decision.requested_kbps as ReturnType<Hooks['requested']>;
      }),

    responded: (request, response) => {
      const entry = underWay.get(request);
      if (!entry) return;
      underWay.delete(request);
      guarded('learning from a response', () => {
        const succeeded = response.status >= 200 && response.status < 300;
        const completed = sammy.complete(entry.decision, {
          outcome: succeeded ? 'completed' : response.aborted ? 'abandoned' : 'failed',
          size_bytes: response.size_bytes,
          download_ms: durationOf(entry.since, response.began),
          receipt: parseReceipt((name) => response.header(name)),
          from_cache: request.url !== null && cameFromCache(request.url, entry.since),
        });
        decisions.push(completed);
        if (completed.pacing_honored === 'no') warn(NOT_HONORED);
        emit('decision', completed);
      });
    },

    cmcdMode: () => sammy.options.cmcd,
    playerChooses: () => sammy.options.abr === 'player',
  };

  const giveBackFastSwitch = () => {
    switchFastAgain?.();
    switchFastAgain = undefined;
  };

  const newSession = () => {
    giveBackFastSwitch();
    emit('summary', sammy.summary);
    // A sidecar belongs to the source that it was given for.
    sammy = new Sammy({ ...sammy.options, sidecar: undefined }, surroundings);
    decisions = [];
    indexSizes = new IndexSizes();
    underWay = new WeakMap();
    begun = viewerBegins = false;
    // What this session has measured is where the next one begins.
    installation.refresh();
  };

  const events: Record<string, (event: { time?: number }) => void> = {
    // Manifest updates of a live stream do not begin playback anew.
    manifestLoadingStarted: () => {
      if (!begun) sammy.playbackRequested();
      begun = true;
      viewerBegins ||= ask(() => player.getAutoPlay()) === false;
    },
    playbackNotAllowed: () => {
      viewerBegins = true;
    },
    playbackStarted: () => {
      if (viewerBegins) sammy.playbackRequested();
    },
    playbackPlaying: () => {
      sammy.playing();
    },
    playbackWaiting: () => {
      sammy.waiting();
    },
    playbackPaused: () => {
      sammy.paused();
    },
    playbackSeeking: () => {
      sammy.seeking(bufferAheadOf(player));
    },
    playbackTimeUpdated: () => {
      const time = ask(() => player.getVideoElement().currentTime);
      if (time !== undefined) sammy.playhead(seconds(time), bufferAheadOf(player));
    },
    streamTeardownComplete: () => {
      // dash.js 4.7 may attach the first source anew as Sammy comes.
      if (!begun) return;
      newSession();
      // The player's reset() takes out rules, interceptors and settings next.
      queueMicrotask(() => guarded('coming back after a reset', comeBack));
    },
  };
  for (const [type, listener] of Object.entries(events)) player.on(type, listener);

  // HYB at an empty buffer picks rungs up to β times the estimate.
  const initialBitrate_kbps = () => sammy.options.beta * sammy.initialThroughput;
  const install = () =>
    isV5
      ? installV5(player as DashPlayerV5, hooks, initialBitrate_kbps)
      : installV4(player as DashPlayerV4, hooks, initialBitrate_kbps);
  let installation = install();
  const comeBack = () => {
    const isThere = player.getABRCustomRules().some(({ rulename }) => rulename === RULE);
    if (isThere || !attached.has(player)) return;
    installation.uninstall();
    installation = install();
  };
  attached.add(player);
  // dash.js 4.7 begins anew.
  if (isV5 && ask(() => isPlaying(player.getVideoElement()))) sammy.joined();

  if (typeof sidecar === 'string') {
    const session = sammy;
    fetchSidecar(sidecar).then(
      (document) => {
        session.update({ sidecar: document });
      },
      (error: unknown) => {
        warn(`sidecar ${sidecar}: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  }

  return {
    get options() {
      return sammy.options;
    },
    get phase() {
      return sammy.phase;
    },
    get pacingHonored() {
      return sammy.pacingHonored;
    },
    get decisions() {
      return decisions;
    },
    get summary() {
      return sammy.summary;
    },
    update(changes) {
      sammy.update(changes);
      giveBackFastSwitch();
      installation.refresh();
    },
    on(type, listener) {
      listeners[type].add(listener);
      return () => listeners[type].delete(listener);
    },
    resetHistory: () => history?.reset(),
    detach() {
      if (!attached.delete(player)) return;
      for (const [type, listener] of Object.entries(events)) player.off(type, listener);
      giveBackFastSwitch();
      installation.uninstall();
      emit('summary', sammy.summary);
    },
  };
}

const isPlaying = ({ paused, currentTime }: HTMLVideoElement): boolean => !paused && currentTime > 0;

/** ms since a request began; since its last attempt where that was clearly later. */
function durationOf(since: number, began: Date | undefined): number {
  const whole = performance.now() - since;
  const attempt = began ? Date.now() - began.getTime() : whole;
  return whole - attempt > RETRIED_MS ? attempt : whole;
}

async function fetchSidecar(url: string): Promise<Sidecar> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return readSidecar(await response.json());
}
