import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { readAttachOptions } from '../host/attach-options.ts';
import { placeOf } from '../host/browser/place.ts';
import { Emitter } from '../host/emitter.ts';
import type { AttachOptions, SammyEvents, SammyHandle } from '../host/handle.ts';
import { Warnings } from '../host/warnings.ts';
import type { SammyOptions } from '../options.ts';
import type { Surroundings } from '../session/sammy.ts';
import { milliseconds } from '../units.ts';
import { followRequests } from './follow-requests.ts';
import type { Hooks } from './hooks.ts';
import { listenToPlayback } from './playback-events.ts';
import { makeLoaderClass } from './loader.ts';
import type { HlsLike, HlsPlayer } from './player.ts';
import { Session, type SessionContext } from './session.ts';
import { takeOver } from './takeover.ts';

const EVENTS = ['request', 'decision', 'summary', 'phase', 'warning'] as const;

const SUPPORTED = /^v?1\.([6-9]|\d\d)\./;

/** On a player: Sammy is attached to it, maybe by another copy of the plug-in. */
const ATTACHED = Symbol.for('dashjs-sammy');

/** Puts Sammy into an hls.js player. */
export function attach(player: HlsLike, options: AttachOptions): SammyHandle {
  const hls = requirePlayer(player);
  const { initialOptions, ...shared } = readAttachOptions(options);
  const context = makeContext(hls, shared);
  const { emitter, warnings } = context;
  let session = new Session(initialOptions, context);
  let isAttached = true;

  const handBack = () => {
    session.update(HANDED_BACK);
    // Deferred, because hls.js may be asking for a level now.
    queueMicrotask(() => {
      if (isAttached) takeover.refresh();
    });
  };
  const hooks: Hooks = {
    session: () => session,
    warnings,
    guarded: (act) => warnings.guarded(act, handBack),
  };

  const { config } = hls;
  const follow = followRequests(hls, hooks);
  let before = config.fLoader;
  const SammyLoader = makeLoaderClass(
    (given) => new (before ?? config.loader)(given),
    (...request) => (isAttached ? follow(...request) : undefined),
  );
  config.fLoader = SammyLoader;
  const keepLoader = () => {
    if (config.fLoader === SammyLoader) return;
    warnings.warn('settings-overridden', 'settings that Sammy overrides were set');
    before = config.fLoader;
    config.fLoader = SammyLoader;
  };
  const takeover = takeOver(hls, hooks, keepLoader);

  const sourceEnded = () => {
    session.end();
    const { phase: previous } = session.core;
    // The sidecar and the sizes belong to the source that has ended.
    const next = { ...session.core.options, sidecar: undefined, sizes: undefined };
    session =
      warnings.guarded(() => new Session(next, context)) ?? new Session({ ...next, ...HANDED_BACK }, context);
    if (previous !== session.core.phase) emitter.emit('phase', { phase: session.core.phase, previous });
  };
  const detach = () => {
    if (!isAttached) return;
    isAttached = false;
    Reflect.deleteProperty(hls, ATTACHED);
    stopListening();
    takeover.restore();
    if (config.fLoader === SammyLoader) config.fLoader = before;
    session.end();
  };
  const stopListening = listenToPlayback(hls, hooks, takeover, sourceEnded, detach);
  Object.defineProperty(hls, ATTACHED, { configurable: true, value: true });
  if (hls.url) session.begun = true;
  if (hls.media && !hls.media.paused && hls.media.currentTime > 0) session.core.joined();

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
      if (isAttached) takeover.refresh();
    },
    on: (type, listener) => emitter.on(type, listener),
    resetHistory: () => shared.history?.reset(),
    detach,
  };
}

/** Returns the state that all sessions of the player share: its listeners, its warnings and the history. */
function makeContext(hls: HlsPlayer, shared: Pick<Surroundings, 'history' | 'summary'>): SessionContext {
  const warnings = new Warnings((warning) => {
    emitter.emit('warning', warning, () => {
      console.warn(`dashjs-sammy: ${warning.message}`);
    });
  });
  const emitter = new Emitter<SammyEvents>(EVENTS, (type, error) => {
    warnings.caught('listener-failed', error, `a listener to ${type}: `);
  });
  return {
    hls,
    surroundings: {
      now: () => milliseconds(performance.now()),
      today: () => milliseconds(Date.now()),
      place: () => placeOf(hls.url ?? undefined),
      ...shared,
      phaseChanged: (change) => emitter.emit('phase', change),
    },
    emitter,
    warnings,
  };
}

/** Throws an Error if this is not an hls.js player, its version is not supported, or Sammy is attached to it. */
function requirePlayer(player: HlsLike): HlsPlayer {
  const hls = player as HlsPlayer;
  const version = attempt(() => {
    const { version: given } = hls.constructor as { readonly version?: unknown };
    return typeof hls.config.loader === 'function' ? String(given) : undefined;
  });
  demand(version !== undefined, 'attachSammy: player', player, 'an hls.js player');
  demand(SUPPORTED.test(version), 'attachSammy: hls.js', version, '1.6 or a later 1');
  if (ATTACHED in hls) throw new Error('attachSammy: already attached; call detach() first');
  return hls;
}

/** Options without the application's algorithm, policy and sizes: hls.js chooses the levels, and the default policy the paces. */
const HANDED_BACK: SammyOptions = { abr: 'player', pace: 'adaptive', sidecar: undefined, sizes: undefined };
