import { makeDate } from './date.ts';
import { PageDomParser } from './document/dom-parser.ts';
import { PageDocument } from './document/page-document.ts';
import { PageElement } from './document/page-element.ts';
import { PageEvent } from './document/page-event.ts';
import { PageStorage } from './document/storage.ts';
import { Target } from './document/target.ts';
import type { Host } from './host.ts';
import { MediaElement } from './media/media-element.ts';
import { MediaSource, type MediaLimits } from './media/media-source.ts';
import { SourceBuffer } from './media/source-buffer.ts';
import { makeFetch, PageRequest } from './network/fetch.ts';
import { HttpCache } from './network/http-cache.ts';
import { Network } from './network/network.ts';
import { makePerformance } from './network/resource-timing.ts';
import { TimedWire } from './network/timed-wire.ts';
import type { Listener, Wire } from './network/wire.ts';
import { XmlHttpRequest } from './network/xml-http-request.ts';
import type { Builtins } from './realm.ts';
import { makeTimers } from './timers.ts';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Receives a response and ignores it. */
const NO_LISTENER: Listener = {
  began: () => undefined,
  arrived: () => undefined,
  ended: () => undefined,
  failed: () => undefined,
};

/** An observer or a cue, which never reports anything. */
class Silent {
  observe(): void {
    // Nothing to do: nothing changes.
  }

  unobserve(): void {
    // Nothing to do: nothing changes.
  }

  disconnect(): void {
    // Nothing to do: nothing changes.
  }
}

/** The globals that are the same on every page. */
const CONSTANT_GLOBALS = {
  screen: { width: 1280, height: 720 },
  innerWidth: 1280,
  innerHeight: 720,
  devicePixelRatio: 1,
  ...{ AbortController, AbortSignal, URLSearchParams, TextDecoder, TextEncoder, DOMException, atob, btoa },
  Headers,
  Event: PageEvent,
  CustomEvent: PageEvent,
  EventTarget: Target,
  DOMParser: PageDomParser,
  Element: PageElement,
  HTMLElement: PageElement,
  HTMLMediaElement: MediaElement,
  HTMLVideoElement: MediaElement,
  SourceBuffer,
  ResizeObserver: Silent,
  MutationObserver: Silent,
  IntersectionObserver: Silent,
  TextTrackCue: Silent,
  VTTCue: Silent,
  getComputedStyle: () => ({ getPropertyValue: () => '' }),
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
};

/** The connection between the page's thread and its servers. */
interface Path {
  readonly wire: Wire;
  /** Wraps the wire, so that its notifications run on the thread. */
  readonly wrapWire: (wire: Wire) => Wire;
}

/** The globals of a page, without those of the language. */
export function makeWindow(
  host: Host,
  { wire, wrapWire: hears }: Path,
  limits: MediaLimits,
): Record<string, unknown> {
  const { builtins: own, clock, url, opened_ms, random } = host;
  const timing = makePerformance(host);
  const timed = new TimedWire(new HttpCache(wire), clock, (entry) => timing.note(entry));
  const network = new Network(host, hears(timed));
  const target = new Target(host);
  // Replaces the language's random numbers, so that pages with the same seed are identical.
  own.Math.random = random;
  return {
    ...CONSTANT_GLOBALS,
    ...makeTimers(host),
    ...makeMedia(host, limits),
    ...makeRequestGlobals(network),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
    location: new URL(url),
    navigator: makeNavigator(network),
    localStorage: new PageStorage(),
    sessionStorage: new PageStorage(),
    performance: timing.page,
    crypto: makeCrypto(random),
    structuredClone: (value: unknown) => cloned(own, value),
    Date: makeDate(own.Date, () => opened_ms + clock.now_ms),
  };
}

/** The page's media: sources with their addresses, and a document that creates the video elements to play from. */
function makeMedia(host: Host, limits: MediaLimits) {
  const sources = new Map<string, MediaSource>();
  let made = 0;
  const make = (tag: string): PageElement =>
    /^(video|audio)$/i.test(tag)
      ? new MediaElement(host, tag, (at) => sources.get(at), limits)
      : new PageElement(host, tag);
  class PageUrl extends URL {
    static override createObjectURL(source: object): string {
      const name = `blob:${new URL(host.url).origin}/${++made}`;
      if (source instanceof MediaSource) sources.set(name, source);
      return name;
    }

    static override revokeObjectURL(name: string): void {
      sources.delete(name);
    }
  }
  class OwnMediaSource extends MediaSource {
    static isTypeSupported(): boolean {
      return true;
    }

    constructor() {
      super(host, limits);
    }
  }
  return { document: new PageDocument(host, make), URL: PageUrl, MediaSource: OwnMediaSource };
}

function makeRequestGlobals(network: Network) {
  class OwnXmlHttpRequest extends XmlHttpRequest {
    constructor() {
      super(network);
    }
  }
  class OwnRequest extends PageRequest {
    constructor(asked: string, init?: object) {
      super(network, asked, init);
    }
  }
  return { XMLHttpRequest: OwnXmlHttpRequest, Request: OwnRequest, fetch: makeFetch(network) };
}

const makeNavigator = (network: Network) => ({
  userAgent: USER_AGENT,
  platform: 'Linux x86_64',
  vendor: 'Google Inc.',
  language: 'en',
  languages: ['en'],
  onLine: true,
  mediaCapabilities: {
    decodingInfo: () =>
      network.host.builtins.Promise.resolve({ supported: true, smooth: true, powerEfficient: true }),
  },
  sendBeacon: (to: string, body: unknown) => {
    const asked = { url: network.resolve(to), method: 'POST', headers: new Map<string, string>() };
    const text = typeof body === 'string' ? body : undefined;
    network.ask({ ...asked, body: text, initiator: 'beacon' }, NO_LISTENER);
    return true;
  },
});

/** Copies plain data with the page's own constructors. */
function cloned(own: Builtins, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return own.Array.from(value, (each) => cloned(own, each));
  return own.Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cloned(own, each)]));
}

const makeCrypto = (random: () => number) => ({
  getRandomValues: <Values extends { length: number; [index: number]: number }>(values: Values): Values => {
    for (let index = 0; index < values.length; index++) values[index] = Math.floor(random() * 2 ** 32);
    return values;
  },
  /** A UUID of version 4 (RFC 9562 §5.4). */
  randomUUID: () =>
    'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(random() * 16).toString(16)),
});
