import type { Environment } from '../session/sammy.ts';
import { milliseconds } from '../units.ts';
import { readAttachOptions } from '../host/attach-options.ts';
import { Emitter } from '../host/emitter.ts';
import type { SammyOptions } from '../options.ts';
import type { AttachOptions, SammyEvents, SammyHandle } from '../host/handle.ts';
import type { Hooks, Installation } from './hooks.ts';
import { listenToPlayback } from './playback-events.ts';
import { describePlace } from '../host/browser/place.ts';
import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { type DashPlayer, type MediaPlayerLike } from './player.ts';
import { Session, type SessionContext } from './session.ts';
import { adapterFor, type Adapter } from './versions/adapter.ts';
import { hasSammyRule } from './versions/rules.ts';
import { Warnings } from '../host/warnings.ts';

const EVENTS = ['request', 'decision', 'summary', 'phase', 'warning'] as const;

const attached = new WeakSet<object>();

/** Attaches Sammy to a dash.js player that one of `adapters` supports; `expected` lists those versions for the error message. */
export function attach(
  mediaPlayer: MediaPlayerLike,
  options: AttachOptions,
  adapters: readonly Adapter[],
  expected: string,
): SammyHandle {
  const player = mediaPlayer as DashPlayer;
  const adapter = requireAdapter(player, adapters, expected);
  const { initialOptions, ...shared } = readAttachOptions(options);
  const context = createContext(player, shared);
  const { emitter, warnings } = context;
  let session = new Session(initialOptions, context);
  const current = () => session;
  /** Undefined before installation and after `detach`. */
  let installation: Installation | undefined;
  /** Call this when options or the session have changed. */
  const refresh = () => installation?.refresh();

  const returnControl = () => {
    session.update(PLAYER_IN_CONTROL);
    // Deferred, because dash.js may be calling its rules now.
    queueMicrotask(refresh);
  };
  const hooks: Hooks = { session: current, warnings, guarded: (act) => warnings.guarded(act, returnControl) };
  const sourceEnded = () => {
    session.end();
    const { phase: previous } = session.core;
    session = createNextSession(session, context);
    if (previous !== session.core.phase) emitter.emit('phase', { phase: session.core.phase, previous });
    // The next session starts from the throughput that this one has measured.
    refresh();
    // After this event, the player's reset() removes rules, interceptors and settings; the microtask runs later.
    queueMicrotask(() =>
      warnings.guarded(() => {
        if (!installation || hasSammyRule(player)) return;
        installation.uninstall();
        installation = adapter.install(player, hooks);
      }),
    );
  };
  // The history is kept per origin and determines the initial bitrate, which is therefore set again for each source.
  const stopListening = listenToPlayback(player, current, refresh, sourceEnded);
  installation = adapter.install(player, hooks);
  attached.add(player);
  // dash.js 5 continues playing. With 4.7, the installation attaches the source again, so playback restarts.
  if (adapter.supportsMidPlayback && isPlaying(player)) session.core.attachedMidPlayback();

  return {
    get options() {
      return session.core.options;
    },
    get phase() {
      return session.core.phase;
    },
    get pacingHonored() {
      return session.core.pacingHonored;
    },
    get decisions() {
      return session.decisions;
    },
    get summary() {
      return session.core.summary;
    },
    update(changes) {
      session.update(changes);
      refresh();
    },
    on: (type, listener) => emitter.on(type, listener),
    resetHistory: () => shared.history?.reset(),
    detach() {
      if (!attached.delete(player)) return;
      stopListening();
      installation?.uninstall();
      installation = undefined;
      session.end();
    },
  };
}

/** Creates the state that all sessions of the player share: its listeners, its warnings and the history. */
function createContext(player: DashPlayer, shared: Pick<Environment, 'history' | 'summary'>): SessionContext {
  const warnings = new Warnings((warning) => {
    emitter.emit('warning', warning, () => {
      console.warn(`dashjs-sammy: ${warning.message}`);
    });
  });
  const emitter = new Emitter<SammyEvents>(EVENTS, (type, error) => {
    warnings.reportError('listener-failed', error, `a listener to ${type}: `);
  });
  return {
    player,
    environment: {
      now: () => milliseconds(performance.now()),
      today: () => milliseconds(Date.now()),
      place: () => describePlace(attempt(() => player.getSource())),
      ...shared,
      phaseChanged: (change) => emitter.emit('phase', change),
    },
    emitter,
    warnings,
  };
}

/** Returns the session of the next source. The sidecar and the sizes belong to the source that has ended. */
function createNextSession({ core }: Session, context: SessionContext): Session {
  const options = { ...core.options, sidecar: undefined, sizes: undefined };
  const session = context.warnings.guarded(() => new Session(options, context));
  return session ?? new Session({ ...options, ...PLAYER_IN_CONTROL }, context);
}

/** Throws an Error if `player` is not a dash.js player, its version is not supported, or Sammy is already attached. */
function requireAdapter(player: DashPlayer, adapters: readonly Adapter[], expected: string): Adapter {
  const version = attempt(() => player.getVersion());
  demand(
    version !== undefined,
    'attachSammy: player',
    player,
    'a dash.js MediaPlayer (for hls.js: dashjs-sammy/hls)',
  );
  const adapter = adapterFor(version, adapters);
  demand(adapter !== undefined, 'attachSammy: dash.js', version, expected);
  // The rule may belong to another copy of the plug-in.
  if (attached.has(player) || hasSammyRule(player))
    throw new Error('attachSammy: already attached; call detach() first');
  return adapter;
}

/** Options without the application's algorithm, policy and sizes: dash.js chooses the rungs, and the default policy the paces. */
const PLAYER_IN_CONTROL: SammyOptions = {
  abr: 'player',
  pace: 'adaptive',
  sidecar: undefined,
  sizes: undefined,
};

const isPlaying = (player: DashPlayer): boolean | undefined =>
  attempt(() => !player.getVideoElement().paused && player.getVideoElement().currentTime > 0);
