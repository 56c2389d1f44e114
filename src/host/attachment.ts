import type { SammyOptions } from '../options.ts';
import type { Environment } from '../session/sammy.ts';
import { milliseconds } from '../units.ts';
import { describePlace } from './browser/place.ts';
import { Emitter } from './emitter.ts';
import type { AttachOptions, SammyEvents, SammyHandle } from './handle.ts';
import { readAttachOptions } from './attach-options.ts';
import type { PageContext, PageSession } from './page-session.ts';
import { Warnings } from './warnings.ts';

const EVENTS = ['request', 'decision', 'summary', 'phase', 'warning'] as const;

/** Options without the application's algorithm, policy and sizes: the player chooses the rungs, and the default policy the paces. */
const HANDED_BACK: SammyOptions = { abr: 'player', pace: 'adaptive', sidecar: undefined, sizes: undefined };

/** The access to a player that `PlayerAttachment` needs. */
export interface PlayerAccess<Session extends PageSession> {
  readonly makeSession: (options: SammyOptions, context: PageContext) => Session;
  readonly readPlayhead: () => number | undefined;
  readonly readSource: () => string | object | undefined;
  /** Called when options or the session have changed. */
  readonly refresh: () => void;
  /** Removes everything that was put into the player. */
  readonly uninstall: () => void;
}

/** Sammy on one player: its sessions, one after the other, and the handle of the application. */
export class PlayerAttachment<Session extends PageSession> {
  readonly warnings: Warnings;
  readonly handle: SammyHandle;
  readonly #access: PlayerAccess<Session>;
  readonly #context: PageContext;
  readonly #emitter: Emitter<SammyEvents>;
  #session: Session;
  #isAttached = true;

  /** Throws an Error that names an option out of range. */
  constructor(options: AttachOptions, access: PlayerAccess<Session>) {
    const { initialOptions, ...shared } = readAttachOptions(options);
    this.#access = access;
    this.warnings = new Warnings((warning) => {
      this.#emitter.emit('warning', warning, () => {
        console.warn(`dashjs-sammy: ${warning.message}`);
      });
    });
    this.#emitter = new Emitter<SammyEvents>(EVENTS, (type, error) => {
      this.warnings.reportError('listener-failed', error, `a listener to ${type}: `);
    });
    this.#context = this.#makeContext(shared);
    this.#session = access.makeSession(initialOptions, this.#context);
    this.handle = this.#makeHandle(shared);
  }

  /** The session of the current source. */
  get session(): Session {
    return this.#session;
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  /**
   * Returns the result of `action`. If it throws, warns, lets the player choose the rungs from then on, and returns undefined, so
   * that playback does not stop.
   */
  guarded<T>(action: () => T): T | undefined {
    return this.warnings.guarded(action, () => {
      this.#session.update(HANDED_BACK);
      // Deferred, because the player may be asking for a rung now.
      queueMicrotask(() => {
        this.#refresh();
      });
    });
  }

  /** Starts the session of the next source. */
  sourceEnded(): void {
    this.#session.end();
    const { core } = this.#session;
    // The sidecar and the sizes belong to the source that has ended.
    const options = { ...core.options, sidecar: undefined, sizes: undefined };
    const { makeSession } = this.#access;
    this.#session =
      this.warnings.guarded(() => makeSession(options, this.#context)) ??
      makeSession({ ...options, ...HANDED_BACK }, this.#context);
    const { phase } = this.#session.core;
    if (phase !== core.phase) this.#emitter.emit('phase', { phase, previous: core.phase });
    this.#refresh();
  }

  detach(): void {
    if (!this.#isAttached) return;
    this.#isAttached = false;
    this.#access.uninstall();
    this.#session.end();
  }

  #refresh(): void {
    if (this.#isAttached) this.#access.refresh();
  }

  #makeContext(shared: Pick<Environment, 'history' | 'summary'>): PageContext {
    const { readPlayhead, readSource } = this.#access;
    return {
      surroundings: {
        now: () => milliseconds(performance.now()),
        today: () => milliseconds(Date.now()),
        place: () => describePlace(readSource()),
        ...shared,
        phaseChanged: (change) => this.#emitter.emit('phase', change),
      },
      ...{ emitter: this.#emitter, warnings: this.warnings, readPlayhead },
    };
  }

  #makeHandle({ history }: Pick<Environment, 'history'>): SammyHandle {
    const current = () => this.#session;
    return {
      get options() {
        return current().core.options;
      },
      get phase() {
        return current().core.phase;
      },
      get pacingHonored() {
        return current().core.pacingHonored;
      },
      get decisions() {
        return current().decisions;
      },
      get summary() {
        return current().core.summary;
      },
      update: (changes) => {
        this.#session.update(changes);
        this.#refresh();
      },
      on: (type, listener) => this.#emitter.on(type, listener),
      resetHistory: () => history?.reset(),
      detach: () => {
        this.detach();
      },
    };
  }
}
