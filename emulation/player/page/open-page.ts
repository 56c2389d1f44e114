import type { PageClock } from './clocks/page-clock.ts';
import type { PageDocument } from './document/page-document.ts';
import type { Host } from './host.ts';
import type { MediaLimits } from './media/media-source.ts';
import type { Wire } from './network/wire.ts';
import { ScriptContext } from './realm.ts';
import { Thread, type BusyWith } from './thread.ts';
import { makeWindow } from './window.ts';

export interface PageOptions {
  readonly clock: PageClock;
  readonly wire: Wire;
  readonly url: string;
  /** When the page is opened, ms since 1970. */
  readonly opened_ms: number;
  /** Returns a number from 0 to 1, for all random choices of the page. */
  readonly random: () => number;
  readonly media?: Partial<MediaLimits>;
  /**
   * How long scripts keep the page busy with a response. By default no time, because in real time scripts take their
   * actual time.
   */
  readonly busyWith?: BusyWith;
  /** Globals in addition to those of a browser. */
  readonly globals?: Readonly<Record<string, unknown>>;
}

/** Chromium's limits (`media/base/demuxer_memory_limit_default.cc`), without delays. */
const CHROMIUM_LIMITS: MediaLimits = {
  video_bytes: 150 * 2 ** 20,
  audio_bytes: 12 * 2 ** 20,
  append_ms: 0,
  frame_ms: 0,
};

export interface Page {
  readonly window: Record<string, unknown>;
  readonly document: PageDocument;
  /** Errors of scripts that nothing caught. */
  readonly errors: readonly unknown[];
  load(code: string, filename: string): void;
  /** Runs an action as an event of the page. */
  enter(action: () => void): void;
}

/** Opens a page without a browser. It has the APIs that a player uses, and renders nothing. */
export function openPage(options: PageOptions): Page {
  const { clock, wire, url, opened_ms, random, media, globals, busyWith = () => 0 } = options;
  const realm = new ScriptContext();
  const errors: unknown[] = [];
  const report = (error: unknown) => void errors.push(error);
  const enter = (action: () => void): void =>
    realm.enter(() => {
      try {
        action();
      } catch (error) {
        report(error);
      }
    });
  const thread = new Thread(clock, enter, busyWith);
  const host: Host = {
    clock: thread.clock,
    builtins: realm.own,
    ...{ report, url, opened_ms, random },
  };
  const { window } = realm;
  Object.assign(
    window,
    makeWindow(host, { wire, wrapWire: (path) => thread.wrapWire(path) }, { ...CHROMIUM_LIMITS, ...media }),
    globals,
  );
  return {
    window,
    document: window.document as PageDocument,
    errors,
    enter,
    load: (code, filename) => realm.load(code, filename),
  };
}
