import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../../src/index.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import {
  clocksJump,
  failOnce,
  isVideo,
  LISTENING,
  NEVER_ANSWERED,
  STEADY_WORLD,
  TIMERS_THROTTLED,
  whenPaced,
} from './faults.ts';
import { playOddWorld, type Asked, type Fault, type OddSession, type OddWorld } from './odd-world.ts';

/** The maximum additional time stalled compared with stock, s. */
const MORE_STALL_S = 0.5;
/** 3.2 times the top rung of 3,300 kbit/s, in steps of 100. */
const HIGHEST_PACE_KBPS = 10_600;

const videoDecisions = ({ page }: OddSession): CompletedDecision[] =>
  (page.window as unknown as { decisions: CompletedDecision[] }).decisions.filter(
    ({ media_type }) => media_type === 'video',
  );

/** Plays with stock dash.js and with the plug-in. Each session gets its own faults. */
function besideStock(world: () => OddWorld) {
  const [stock, sammy] = [false, true].map((withSammy) =>
    playOddWorld({ after: LISTENING, ...world() }, withSammy),
  ) as [OddSession, OddSession];
  return { stock, sammy, video: videoDecisions(sammy) };
}

const page: Fault = { status: 200, type: 'text/html', body: '<html>no</html>' };
const PERIOD_S = 20;
/** Three periods; the second one is on another origin. */
const withAdvertisements = (mpd: string): string => {
  const period = /<Period[^>]*>([\s\S]*)<\/Period>/.exec(mpd)?.[1] ?? '';
  const periods = ['', '<BaseURL>http://ads.example/</BaseURL>', ''].map(
    (base, index) =>
      `<Period id="p${index}" start="PT${index * PERIOD_S}S" duration="PT${PERIOD_S}S">${base}${period}</Period>`,
  );
  return mpd
    .replace(/<Period[\s\S]*<\/Period>/, periods.join(''))
    .replace(/mediaPresentationDuration="[^"]*"/, `mediaPresentationDuration="PT${3 * PERIOD_S}S"`);
};

/** Changes a manifest so that the content is on two CDNs. Players try the first CDN first. */
const onTwoCdns = (mpd: string): string =>
  mpd.replace(
    /<Period/,
    '<BaseURL serviceLocation="a">http://a.example/</BaseURL><BaseURL serviceLocation="b">http://b.example/</BaseURL><Period',
  );
/** Like `onTwoCdns`, with a steering server that players poll each second. */
const steered = (mpd: string): string =>
  onTwoCdns(mpd).replace(
    /<Period/,
    '<ContentSteering defaultServiceLocation="a">http://film.example/steering.json</ContentSteering><Period',
  );
const steering = (order: readonly string[]): Fault => ({
  ...{ status: 200, type: 'application/json' },
  body: JSON.stringify({ VERSION: 1, TTL: 1, 'PATHWAY-PRIORITY': order }),
});
/** A fault: the host name of the first CDN cannot be resolved. */
const withoutFirst = ({ url }: Asked): Fault | undefined =>
  url.host === 'a.example' ? { stopsAfter_bytes: 0, resetsAfter_ms: 50 } : undefined;

describe.each(['dashjs', 'dashjs-v4'])('%s, if a request for a pace', (dashjs) => {
  const MIDDLE_MS = 15_000;
  const byHeader = { options: "{ cmcd: 'header' }" };
  const worlds: readonly [name: string, world: Partial<OddWorld>][] = [
    ['is never answered', { fault: whenPaced(NEVER_ANSWERED) }],
    ['is never answered by header', { ...byHeader, fault: whenPaced(NEVER_ANSWERED) }],
    ['is not answered any more', { fault: whenPaced(NEVER_ANSWERED, MIDDLE_MS) }],
    ['is not answered any more by header', { ...byHeader, fault: whenPaced(NEVER_ANSWERED, MIDDLE_MS) }],
    ['is answered in part', { fault: whenPaced({ stopsAfter_bytes: 20_000 }) }],
    ['is answered in part from the middle on', { fault: whenPaced({ stopsAfter_bytes: 20_000 }, MIDDLE_MS) }],
    ['is reset after a minute', { fault: whenPaced({ stopsAfter_bytes: 0, resetsAfter_ms: 60_000 }) }],
    ['is reset at once', { fault: whenPaced({ stopsAfter_bytes: 0, resetsAfter_ms: 300 }) }],
    ['has an empty body', { fault: whenPaced({ status: 200 }) }],
    ['has an empty body from the middle on', { fault: whenPaced({ status: 200 }, MIDDLE_MS) }],
    ['has a page instead of a body', { fault: whenPaced(page) }],
    ['is forbidden from the middle on', { fault: whenPaced({ status: 403 }, MIDDLE_MS) }],
    ['loses its query in a redirect', { fault: whenPaced({ redirects: true }) }],
    ['loses its header in a redirect', { ...byHeader, fault: whenPaced({ redirects: true }) }],
    ['loses its query from the middle on', { fault: whenPaced({ redirects: true }, MIDDLE_MS) }],
    ['is for a CDN whose name is not found', { manifest: onTwoCdns, fault: withoutFirst }],
    [
      'is for a CDN whose name is not found any more',
      {
        manifest: onTwoCdns,
        fault: (asked) => (asked.at_ms > MIDDLE_MS ? withoutFirst(asked) : undefined),
      },
    ],
    [
      'is steered to another CDN and back',
      {
        manifest: steered,
        fault: ({ url, at_ms }) =>
          url.pathname === '/steering.json'
            ? steering(at_ms > MIDDLE_MS && at_ms < 2 * MIDDLE_MS ? ['b', 'a'] : ['a', 'b'])
            : undefined,
      },
    ],
    [
      'is steered to a CDN that never answers it',
      {
        manifest: steered,
        fault: (asked) => {
          const { url, at_ms } = asked;
          if (url.pathname === '/steering.json') return steering(at_ms > MIDDLE_MS ? ['b', 'a'] : ['a', 'b']);
          return url.host === 'b.example' ? whenPaced(NEVER_ANSWERED)(asked) : undefined;
        },
      },
    ],
    [
      'is never answered by the CDN that takes over',
      {
        manifest: onTwoCdns,
        fault: (asked) =>
          asked.at_ms > MIDDLE_MS ? (withoutFirst(asked) ?? whenPaced(NEVER_ANSWERED)(asked)) : undefined,
      },
    ],
    [
      'is never answered in the second period',
      {
        manifest: withAdvertisements,
        fault: (asked) => (asked.url.host === 'ads.example' ? whenPaced(NEVER_ANSWERED)(asked) : undefined),
      },
    ],
  ];
  it.each(worlds)('%s, neither stalls nor has lower rungs than stock', (_, world) => {
    const { stock, sammy } = besideStock(() => ({ ...STEADY_WORLD, dashjs, ...world }));
    expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s + MORE_STALL_S);
    expect(sammy.started_ms).toBeLessThanOrEqual(stock.started_ms + 50);
    expect(sammy.mean_kbps).toBeGreaterThan(0.95 * stock.mean_kbps);
    expect(sammy.page.errors).toEqual([]);
  });
});

describe.each(['dashjs', 'dashjs-v4'])('%s keeps its estimate and its paces', (dashjs) => {
  const worlds: readonly [name: string, world: () => Partial<OddWorld>][] = [
    ['after one 503', () => ({ fault: failOnce((segment) => segment === 5) })],
    ['where every third segment fails once', () => ({ fault: failOnce((segment) => segment % 3 === 2) })],
    ...[0, 150, 300, 450, 600, 750].map((after_ms): [string, () => Partial<OddWorld>] => [
      `after a sleep of ten minutes, at ${21_000 + after_ms} ms`,
      () => ({ before: clocksJump(21_000 + after_ms, 600_000) }),
    ]),
    ['where timers are throttled to one a second', () => ({ before: TIMERS_THROTTLED })],
    ['where byte ranges share a URL', () => ({ isOneFile: true })],
    ['where they do and its timing is hidden', () => ({ isOneFile: true, hidesTiming: true })],
  ];
  it.each(worlds)('%s', (_, world) => {
    const { stock, sammy, video } = besideStock(() => ({ ...STEADY_WORLD, mbps: 6, dashjs, ...world() }));
    expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s + MORE_STALL_S);
    expect(sammy.mean_kbps).toBeGreaterThan(0.95 * stock.mean_kbps);
    for (const { requested_kbps } of video)
      expect(requested_kbps ?? 0).toBeLessThanOrEqual(HIGHEST_PACE_KBPS);
    for (const { estimate_kbps } of video.slice(5)) {
      expect(estimate_kbps).toBeGreaterThan(6000 / 3);
      expect(estimate_kbps).toBeLessThan(6000 * 3);
    }
  });
});

it('dash.js 4.7 changes nothing in a query that a RequestModifier has signed, and asks by headers', () => {
  const isSigned = ({ url }: Asked) => url.search === '?sig=a~b(c)';
  const { sammy, video } = besideStock(() => ({
    ...{ ...STEADY_WORLD, seconds: 30, dashjs: 'dashjs-v4' },
    before: `player.extend('RequestModifier', () => ({
      modifyRequestURL: (url) => (/(m4s|mp4)$/.test(url) ? url + '?sig=a~b(c)' : url),
      modifyRequestHeader: (request) => request,
    }));`,
    fault: (asked) => (isVideo(asked) && !isSigned(asked) ? { status: 403 } : undefined),
  }));
  expect(sammy.stalls).toBe(0);
  expect(video.filter(({ requested_kbps }) => requested_kbps !== null).length).toBeGreaterThan(15);
  expect(video.map(({ outcome }) => outcome)).not.toContain('failed');
});

const SEED = Number(process.env.SEED ?? 1);
const CASES = 20;
/**
 * The maximum additional time stalled in one case, s: two segments. The two players choose different rungs, so an
 * unlucky segment may stall either of them. A player that abandons a failed segment for another rung has two failures
 * in a row, and each costs dash.js's wait of 1 s before a retry.
 */
const MORE_STALL_IN_ONE_CASE_S = 4;
/**
 * The maximum additional time stalled in all cases of one version of dash.js, s. In the 60 cases of seeds 1000 to 1002,
 * the plug-in stalls 17 s less than stock with dash.js 5 and 6.8 s longer with 4.7, most of it where requests for
 * a pace are never answered: the first such request waits for half of the only buffered segment, so that a further
 * failure stalls playback. A shorter wait would take slow responses for refusals. Of 20 cases drawn from these at
 * random, 0.2% exceed the limit.
 */
const MORE_STALL_IN_ALL_CASES_S = 9;

describe.each(['dashjs', 'dashjs-v4'])('%s, on random networks with random failures and waits', (dashjs) => {
  const random = seededRandom(SEED);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const cases = Array.from({ length: CASES }, (_, index) => ({
    ...{ index, seed: Math.floor(random() * 1e9), mbps: Math.round(10 * 2 ** (1 + 4 * random())) / 10 },
    ...{ rtt_ms: pick([5, 20, 80]), share: pick([0, 0.03, 0.1, 0.3]), isOneFile: random() < 0.3 },
    ...{ sleeps_ms: random() < 0.3 ? 5000 + 40_000 * random() : 0, edge: random() < 0.7 },
    isRefused: random() < 0.3,
  }));
  /** The additional time stalled, s, by case. */
  const moreStall_s = new Map<number, number>();
  it.each(cases)('$index: %o', ({ index, seed, share, sleeps_ms, isRefused, ...network }) => {
    const faulty = (): NonNullable<OddWorld['fault']> => {
      const chance = seededRandom(seed);
      // Stock gets the same faults: in every rung, these segments fail once.
      const fails = Array.from({ length: 200 }, () => chance() < share);
      const once = failOnce((segment) => fails[segment] ?? false);
      return (asked) => (isRefused ? whenPaced(NEVER_ANSWERED)(asked) : undefined) ?? once(asked);
    };
    const { stock, sammy, video } = besideStock(() => ({
      ...{ ...STEADY_WORLD, ...network, dashjs, fault: faulty() },
      ...(sleeps_ms > 0 && { before: clocksJump(sleeps_ms, 600_000) }),
    }));
    moreStall_s.set(index, sammy.stalled_s - stock.stalled_s);
    expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s + MORE_STALL_IN_ONE_CASE_S);
    for (const { requested_kbps } of video) expect(requested_kbps ?? 0).toBeLessThanOrEqual(10 * 3300);
    for (const { estimate_kbps } of video.slice(5)) {
      // A paced download cannot show a higher throughput than its pace.
      expect(estimate_kbps).toBeGreaterThan(Math.min(1000 * network.mbps, HIGHEST_PACE_KBPS) / 3);
      expect(estimate_kbps).toBeLessThan(1000 * network.mbps * 3);
    }
  });

  // A single case compares two players that choose different rungs, and either may be unlucky. Only the sums show
  // whether the plug-in causes stalls. The sum is NaN, and the test fails, if a case has not run.
  it('does not stall much longer than stock in all cases together', () => {
    const sum_s = cases.reduce((sum, { index }) => sum + (moreStall_s.get(index) ?? NaN), 0);
    expect(sum_s).toBeLessThanOrEqual(MORE_STALL_IN_ALL_CASES_S);
  });
});
