import { describe, expect, it } from 'vitest';
import { ODD_RUNGS, playOddWorld, type OddSession, type OddWorld } from './odd-world.ts';

const MAIN = { mbps: 8, seconds: 40, rungs: ODD_RUNGS };

const both = (world: OddWorld) => ({ stock: playOddWorld(world, false), sammy: playOddWorld(world, true) });
/** Formats the player's requests, to explain a failure. */
const told = (session: OddSession): string =>
  session.requests.map(({ id, segment, rtp }) => `${segment}:${id}:${rtp}`).join(' ');

describe('a server of another origin that does not let the page read its timing', () => {
  it.each([200, 1000])('does not hold viewers at the lowest rungs, at %d Mbit/s', (mbps) => {
    const { stock, sammy } = both({ ...MAIN, mbps, hidesTiming: true });
    expect(sammy.mean_kbps, told(sammy)).toBeGreaterThan(0.95 * 3300);
    expect(sammy.mean_kbps).toBeGreaterThanOrEqual(stock.mean_kbps);
    expect(sammy.stalls).toBe(0);
    expect(sammy.started_ms).toBeLessThanOrEqual(stock.started_ms + 10);
  });

  it.each([
    [1.5, 1500, 8],
    [1.5, 1500, 4],
    [2.5, 2300, 6],
    [1, 700, 10],
    [0.5, 300, 10],
  ])(
    'does not mislead at %d Mbit/s with segments of the browser cache: up to %d kbit/s, %d segments',
    (mbps, most_kbps, segments) => {
      const cached = ({ pathname, search }: URL) => {
        const [, rate, number] = /^\/v(\d+)\/(\d+)\.m4s$/.exec(pathname) ?? [];
        return search === '' && Number(rate) <= most_kbps && Number(number) <= segments;
      };
      const { stock, sammy } = both({
        ...MAIN,
        mbps,
        hidesTiming: true,
        cached,
        options: '{ pacing: false }',
      });
      expect(sammy.stalls, told(sammy)).toBeLessThanOrEqual(stock.stalls);
      expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s);
    },
  );
});

describe('an interceptor of the application that waits 1.2 s for a token for each segment', () => {
  const token = `player.addRequestInterceptor((request) =>
    new Promise((done) => setTimeout(() => done(request), request.customData.request.type === 'MediaSegment' ? 1200 : 0)));`;
  it.each([
    ['before', 8],
    ['before', 40],
    ['after', 8],
    ['after', 40],
  ])('causes no stall, added %s attachSammy at %d Mbit/s', (order, mbps) => {
    const start = (first: string, second: string) =>
      `player.initialize(video, 'http://film.example/manifest.mpd', true); ${first} ${second}`;
    const page = order === 'before' ? start(token, 'attach();') : start('attach();', token);
    const { stock, sammy } = both({ ...MAIN, mbps, seconds: 60, edge: true, start: page });
    expect(sammy.stalls, told(sammy)).toBeLessThanOrEqual(stock.stalls);
    // Stock stalls for 0.77 s at 40 Mbit/s while it replaces its first segment, and 13 times at 8 Mbit/s.
    expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s + 0.05);
    // The bitrate may be lower, because the default algorithm keeps a reserve where stock stalls for 16 s.
    expect(sammy.mean_kbps).toBeGreaterThan(0.9 * stock.mean_kbps);
  });
});

describe('a manifest whose bandwidths are wrong by a factor of', () => {
  it.each([
    [0.3, 8],
    [0.2, 8],
    [0.001, 8],
    [0.001, 3],
    [3, 40],
  ])('%d, at %d Mbit/s, causes no stall, and no loss of quality on a fast link', (factor, mbps) => {
    const rungs = ODD_RUNGS.map((rung) => ({ ...rung, nominal_kbps: factor * rung.bitrate_kbps }));
    const { stock, sammy } = both({ ...MAIN, mbps, rungs, seconds: 46, edge: true });
    expect(sammy.stalls, told(sammy)).toBeLessThanOrEqual(stock.stalls);
    expect(sammy.stalled_s).toBeLessThanOrEqual(stock.stalled_s);
    const paces = sammy.requests.filter(({ rtp }) => rtp > 0);
    expect(paces.length).toBeGreaterThan(5);
    for (const { id, rtp } of paces) expect(rtp).toBeGreaterThanOrEqual(Number(id.slice(1)));
    if (mbps > 5) expect(sammy.mean_kbps).toBeGreaterThanOrEqual(0.95 * stock.mean_kbps);
  });
});

describe('a manifest that ranks 2.1 Mbit/s above 3.3', () => {
  const rungs = [300, 700, 3300, 2100].map((bitrate_kbps) => ({ id: `v${bitrate_kbps}`, bitrate_kbps }));
  const asked = (id: string, attribute: string) => (mpd: string) =>
    mpd.replace(`id="${id}"`, `id="${id}" ${attribute}`);
  it.each([
    [
      'by its qualityRanking',
      (mpd: string) =>
        ['v2100', 'v3300', 'v700', 'v300'].reduce(
          (text, id, rank) => asked(id, `qualityRanking="${rank + 1}"`)(text),
          mpd,
        ),
    ],
    [
      'by its pixels',
      (mpd: string) =>
        mpd.replace(/(id="v2100".*?)width="1280" height="720"/, '$1width="1920" height="1080"'),
    ],
  ])('%s, plays the rung ranked highest, as stock does', (_, manifest) => {
    const { stock, sammy } = both({ ...MAIN, mbps: 40, rungs, manifest });
    const late = ({ requests }: OddSession) => [...new Set(requests.slice(6).map(({ id }) => id))];
    expect(late(stock)).toEqual(['v2100']);
    expect(late(sammy)).toEqual(['v2100']);
    expect(sammy.bytes).toBeLessThan(1.05 * stock.bytes);
  });
});

describe.each(['dashjs', 'dashjs-v4'])('a server that fails once, in %s', (dashjs) => {
  const isPaced = (url: URL) => url.search.includes('rtp');
  it.each([503, 404])('with %d, still gets requests for paces', (status) => {
    let failed = 0;
    const fails = (url: URL) => (isPaced(url) && failed++ === 0 ? status : undefined);
    const { requests, stalls } = playOddWorld({ ...MAIN, dashjs, mbps: 40, edge: true, fails }, true);
    expect(failed).toBeGreaterThan(10);
    expect(
      requests.slice(8).every(({ rtp }) => rtp > 0),
      JSON.stringify(requests),
    ).toBe(true);
    expect(stalls).toBe(0);
  });

  it('with 403 to every request for a pace, soon gets no more of them', () => {
    const fails = (url: URL) => (isPaced(url) ? 403 : undefined);
    const { requests, stalls } = playOddWorld({ ...MAIN, dashjs, mbps: 40, edge: true, fails }, true);
    expect(requests.filter(({ rtp }) => rtp > 0)).toHaveLength(1);
    expect(stalls).toBe(0);
  });
});

describe.each(['dashjs', 'dashjs-v4'])(
  'a start that an application or a manifest requests, in %s,',
  (dashjs) => {
    const setting = (abr: string) => ({ before: `player.updateSettings({ streaming: { abr: ${abr} } });` });
    const described = (mpd: string) =>
      mpd.replace(
        /(<Period )/,
        '<ServiceDescription id="0"><OperatingBandwidth mediaType="video" min="100000" max="9000000" target="2200000"/></ServiceDescription>$1',
      );
    it.each([
      ['initialBitrate 3400', setting('{ initialBitrate: { video: 3400 } }')],
      ['initialBitrate 400', setting('{ initialBitrate: { video: 400 } }')],
      ['the target of a ServiceDescription', { manifest: described }],
      ['initialRepresentationRatio 1', setting('{ initialRepresentationRatio: { video: 1 } }')],
      ['initialRepresentationRatio 0.2', setting('{ initialRepresentationRatio: { video: 0.2 } }')],
    ])('%s, is kept', (name, world) => {
      if (name.includes('Ratio') && dashjs !== 'dashjs-v4') return;
      const { stock, sammy } = both({ ...MAIN, dashjs, mbps: 20, seconds: 5, ...world });
      expect(stock.requests[0]?.id).not.toBe('v700');
      expect(sammy.requests[0]?.id).toBe(stock.requests[0]?.id);
    });
  },
);

describe('dash.js 4.7', () => {
  const dashjs = 'dashjs-v4';
  it.each([
    ['with autoplay', `player.initialize(video, 'http://film.example/manifest.mpd', true, 12); attach();`],
    [
      'without autoplay',
      `player.initialize(video, 'http://film.example/manifest.mpd', false, 12); attach(); setTimeout(() => player.play(), 1000);`,
    ],
    [
      'without autoplay, a second later',
      `player.initialize(video, 'http://film.example/manifest.mpd', false, 12); setTimeout(attach, 1000); setTimeout(() => player.play(), 2000);`,
    ],
  ])('starts with the configured rung, %s', (_, start) => {
    const { sammy, stock } = both({ ...MAIN, dashjs, mbps: 20, seconds: 6, start });
    const times = [stock, sammy].map(({ page }) => (page.window.video as HTMLVideoElement).currentTime);
    expect(times[0]).toBeGreaterThan(14);
    expect(Math.abs((times[1] ?? 0) - (times[0] ?? 0))).toBeLessThan(1);
    expect(sammy.page.errors).toEqual([]);
  });

  it('does not change a signed query, and sends rtp in headers', () => {
    const signed = (mpd: string) => mpd.replaceAll('.m4s"', '.m4s?sig=a~b(c)%7e"');
    const asked = playOddWorld(
      { ...MAIN, dashjs, mbps: 20, seconds: 15, manifest: signed, edge: true },
      true,
    );
    expect(
      asked.requests.map(({ url }) => url.search).filter((search) => search !== '?sig=a~b(c)%7e'),
    ).toEqual([]);
    expect(asked.requests.length).toBeGreaterThan(5);
  });
});
