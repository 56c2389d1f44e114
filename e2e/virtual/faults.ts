import { ODD_RUNGS, type Asked, type Fault, type OddWorld } from './odd-world.ts';

/** A world with a link that is fast enough for every rung, and our edge. */
export const STEADY_WORLD = { mbps: 8, seconds: 60, rungs: ODD_RUNGS, edge: true } as const;

/** Collects the plug-in's decisions, if it is attached. */
export const LISTENING = `
  window.decisions = [];
  window.sammy?.on('decision', (decision) => decisions.push(decision));
`;

export const NEVER_ANSWERED: Fault = { stopsAfter_bytes: 0 };

/** Applies a fault to requests with a pace that are sent at or after `from_ms`. */
export const whenPaced =
  (fault: Fault, from_ms = 0) =>
  ({ isPaced, at_ms }: Asked): Fault | undefined =>
    isPaced && at_ms >= from_ms ? fault : undefined;

export const isVideo = ({ url }: Asked): boolean => /\/v\d+\/\d+\.m4s$/.test(url.pathname);

/** Returns a fault: each video segment for which `fails` returns true fails once, with status 503. */
export function failOnce(fails: (segment: number) => boolean): NonNullable<OddWorld['fault']> {
  const failed = new Set<string>();
  return (asked) => {
    const { pathname } = asked.url;
    if (!isVideo(asked) || failed.has(pathname) || !fails(Number(/(\d+)\.m4s$/.exec(pathname)?.[1])))
      return undefined;
    failed.add(pathname);
    return { status: 503 };
  };
}

/** Returns a script that makes the page's clocks jump by `for_ms` at `at_ms`, like the sleep of a laptop. */
export const clocksJump = (at_ms: number, for_ms: number): string => `{
  const now = performance.now.bind(performance);
  const later = (time) => time + (time > ${at_ms} ? ${for_ms} : 0);
  const Own = Date;
  const since = Own.now() - now();
  const today = () => Math.floor(since + later(now()));
  function Jumping(...given) {
    if (!new.target) return new Own(today()).toString();
    return given.length > 0 ? new Own(...given) : new Own(today());
  }
  globalThis.Date = Object.assign(Jumping, { now: today, UTC: Own.UTC, parse: Own.parse, prototype: Own.prototype });
  performance.now = () => later(now());
  const shown = performance.getEntriesByType.bind(performance);
  performance.getEntriesByType = (type) => shown(type).map((entry) => {
    const times = ['startTime', 'fetchStart', 'requestStart', 'responseStart', 'responseEnd'];
    return { ...entry, ...Object.fromEntries(times.map((name) => [name, later(entry[name])])) };
  });
}`;

/** A script that makes the page's timers fire only on whole seconds, as in a hidden tab. */
export const TIMERS_THROTTLED = `{
  const own = { setTimeout, setInterval };
  const wholeSeconds = (ms = 0) => {
    const now = performance.now();
    return Math.ceil((now + ms) / 1000) * 1000 - now;
  };
  window.setTimeout = globalThis.setTimeout = (call, ms, ...given) => own.setTimeout(call, wholeSeconds(ms), ...given);
  window.setInterval = globalThis.setInterval = (call, ms, ...given) =>
    own.setInterval(call, Math.max(1000, ms), ...given);
}`;
