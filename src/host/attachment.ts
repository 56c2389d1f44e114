import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import type { InitialThroughputHistory } from '../learning/history.ts';
import type { SammyOptions } from '../options.ts';
import { milliseconds } from '../units.ts';
import { describePlace } from './browser/place.ts';
import { Emitter } from './emitter.ts';
import type { AttachOptions, SammyEvents, SammyHandle } from './handle.ts';
import { readAttachOptions } from './attach-options.ts';
import type { PageContext, PageSession } from './page-session.ts';
import { Warnings } from './warnings.ts';

const EVENTS = ['request', 'decision', 'summary', 'phase', 'warning'] as const;

/**
 * Options after an error. They exclude the application's algorithm, policy and sizes: the player chooses the rungs, and
 * the default policy chooses the paces.
 */
const HANDED_BACK: SammyOptions = { abr: 'player', pace: 'adaptive', sidecar: undefined, sizes: undefined };

/**
 * The property that marks a player to which Sammy is attached, possibly by another copy of the plug-in. Not a symbol,
 * because a polyfill of Symbol adds a property to Object.prototype.
 */
const ATTACHED = 'dashjs-sammy';
type Markable = object & { [ATTACHED]?: boolean };

/** The access to a player that an attachment needs. */
export interface PlayerAccess<Session extends PageSession> {
  readonly makeSession: (options: SammyOptions, context: PageContext) => Session;
  readonly readMedia: () => HTMLMediaElement | null;
  readonly readSource: () => string | object | undefined;
  /** Installs Sammy in the player. */
  readonly install: (attachment: PlayerAttachment<Session>) => Installation;
  /** Whether `install` restarts playback. */
  readonly restartsPlayback?: boolean;
}

/** Sammy's installation in a player. */
export interface Installation {
  /** Called when options or the session have changed. */
  refresh(): void;
  /** Removes everything that was installed. */
  uninstall(): void;
}

/** Sammy on one player, with one session at a time. */
export interface PlayerAttachment<Session extends PageSession> extends PageContext {
  /** The session of the current source. */
  readonly currentSession: Session;
  /**
   * Returns the result of `action`. If `action` throws, warns, returns undefined, and lets the player choose the rungs
   * from then on, so that playback does not stop.
   */
  readonly guarded: <T>(action: () => T) => T | undefined;
  /** Call this when options or the session have changed. */
  readonly refresh: () => void;
  /** Call this after a reset, when the player has dropped the rules, listeners and settings of Sammy. */
  reinstall(): void;
  /** Ends the session of a source that has been requested, and starts the session of the next source. */
  sourceEnded(): void;
  readonly detach: () => void;
}

/** Describes how to recognize a kind of player. */
interface PlayerKind<Support> {
  /** The expected object, for the message. */
  readonly kind: string;
  /** Returns the player's version. For other objects, throws or returns a value that is not a string. */
  readonly readVersion: () => unknown;
  readonly name: string;
  /** Returns an adapter or true for a supported version. */
  readonly findSupport: (version: string) => Support | false | undefined;
  /** The supported versions, for the message. */
  readonly supportedVersions: string;
}

/**
 * Returns the result of `findSupport` for a player. Throws an Error if the object is not a player of this kind, its
 * version is not supported, or Sammy is already attached to it.
 */
export function requirePlayer<Support>(
  player: Markable,
  { kind, readVersion, name, findSupport, supportedVersions }: PlayerKind<Support>,
): Support {
  const version = attempt(readVersion);
  demand(typeof version === 'string', 'attachSammy: player', player, kind);
  const support = findSupport(version);
  demand(!!support, `attachSammy: ${name}`, version, supportedVersions);
  if (player[ATTACHED]) throw new Error('attachSammy: already attached; call detach() first');
  return support;
}

/**
 * Attaches Sammy to a player, and returns the handle for the application. Throws an Error that names an option out of
 * range.
 */
export function attachTo<Session extends PageSession>(
  player: Markable,
  options: AttachOptions,
  { makeSession, readMedia, readSource, install, restartsPlayback }: PlayerAccess<Session>,
): SammyHandle {
  const { initialOptions, ...shared } = readAttachOptions(options);
  const warnings = new Warnings((warning) => {
    emitter.emit('warning', warning, () => {
      console.warn(`dashjs-sammy: ${warning.message}`);
    });
  });
  const emitter = new Emitter<SammyEvents>(EVENTS, (type, error) => {
    warnings.reportError('listener-failed', error, `a listener to ${type}: `);
  });
  const attachment: PlayerAttachment<Session> = {
    ...{ emitter, warnings, readMedia },
    environment: {
      now: () => milliseconds(performance.now()),
      today: () => milliseconds(Date.now()),
      place: () => describePlace(readSource()),
      ...shared,
      phaseChanged: (change) => emitter.emit('phase', change),
    },
    guarded: (action) =>
      warnings.guarded(action, () => {
        session.core.update(HANDED_BACK);
        // Deferred, because the player may be asking for a rung now.
        queueMicrotask(attachment.refresh);
      }),
    get currentSession() {
      return session;
    },
    refresh: () => installation?.refresh(),
    reinstall() {
      if (!installation) return;
      installation.uninstall();
      installation = undefined;
      installation = install(attachment);
    },
    sourceEnded() {
      if (!session.begun) return;
      session.end();
      const { core } = session;
      // The sidecar and the sizes belong to the source that has ended.
      const next = { ...core.options, sidecar: undefined, sizes: undefined };
      session =
        warnings.guarded(() => makeSession(next, attachment)) ??
        makeSession({ ...next, ...HANDED_BACK }, attachment);
      const { phase } = session.core;
      if (phase !== core.phase) emitter.emit('phase', { phase, previous: core.phase });
      attachment.refresh();
    },
    detach() {
      if (!installation) return;
      Reflect.deleteProperty(player, ATTACHED);
      installation.uninstall();
      installation = undefined;
      session.end();
    },
  };
  let session = makeSession(initialOptions, attachment);
  /** Undefined before installation and after `detach`. */
  let installation: Installation | undefined;
  installation = install(attachment);
  player[ATTACHED] = true;
  const media = readMedia();
  if (media && !restartsPlayback && !media.paused && media.currentTime > 0)
    session.core.attachedMidPlayback();
  return createHandle(attachment, shared.history);
}

function createHandle(
  attachment: PlayerAttachment<PageSession>,
  history: InitialThroughputHistory | undefined,
): SammyHandle {
  const core = () => attachment.currentSession.core;
  return {
    get options() {
      return core().options;
    },
    get phase() {
      return core().phase;
    },
    get pacingHonored() {
      return core().pacingHonored;
    },
    get decisions() {
      return attachment.currentSession.decisions;
    },
    get summary() {
      return core().summary;
    },
    update(changes) {
      core().update(changes);
      attachment.refresh();
    },
    on: (type, listener) => attachment.emitter.on(type, listener),
    resetHistory: () => history?.reset(),
    detach: attachment.detach,
  };
}
