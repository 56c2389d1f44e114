import { decodeCmcd } from '@svta/cml-cmcd';
import type { Page, Request } from '@playwright/test';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import { PLUGIN_KEY, SUM_KEY } from '../../../src/wire/rtp.ts';
import { expect, nothingThrown, play, STEADY, test } from '../fixtures.ts';
import { selectSegments, startTestEdge, type TestEdge } from '../test-edge.ts';

/**
 * A cell is one way to make a version of dash.js send CMCD. Its test checks that an application's CMCD is the same with
 * Sammy as without, except for `rtp`, the plug-in's own keys, and `mtp`, and that the edge reads `rtp` regardless of
 * the other CMCD. dash.js supports CMCD version 2 since 5.1 (its keys, in version 1's form) and 5.2 (inner lists).
 * Since version 5, the manifest can request CMCD.
 */
export type Version = '4' | '5.1' | '5';
export type Mode = 'query' | 'header';

export interface Cell {
  readonly version: Version;
  /** Version of CMCD; 0 is none. */
  readonly cmcd: 0 | 1 | 2;
  readonly mode: Mode;
  readonly by: 'settings' | 'manifest';
}

const MODES: readonly Mode[] = ['query', 'header'];
const each = (version: Version, cmcd: Cell['cmcd'], by: Cell['by'] = 'settings'): Cell[] =>
  MODES.map((mode) => ({ version, cmcd, mode, by }));
export const CELLS: readonly Cell[] = [
  ...(['4', '5.1', '5'] as const).flatMap((version) => [...each(version, 0), ...each(version, 1)]),
  ...each('5.1', 1, 'manifest'),
  ...each('5.1', 2),
  ...each('5', 1, 'manifest'),
  ...each('5', 2),
  ...each('5', 2, 'manifest'),
];

/**
 * Whether the gate runs a cell. The gate covers dash.js 5 and 4.7, both modes, both versions of CMCD, and no CMCD. The
 * other combinations, such as all of dash.js 5.1, are long tests.
 */
export const isInGate = ({ version, cmcd, mode, by }: Cell): boolean =>
  by === 'settings' &&
  ((version === '5' && cmcd === 0) ||
    (version === '5' && cmcd === 2 && mode === 'query') ||
    (version === '4' && cmcd === 1 && mode === 'header'));

export type Cmcd = Readonly<Record<string, unknown>>;

/**
 * Number of segments to wait for: enough requests of both media types. The first request of each type differs from the
 * later ones.
 */
const SEGMENTS = 4;

/**
 * Returns dash.js's name of the mode. dash.js 5.2 names the header mode `headers`, and treats `header` in a manifest as
 * the query mode.
 */
const modeName = ({ version, mode }: Cell) => (mode === 'header' && version === '5' ? 'headers' : mode);

const SESSION = 'b248658d-1d1a-4039-91d0-8c08ba597da5';
/** A content id that contains every character with a special meaning in CMCD, in a URL or in a form. */
const FILM = String.raw`one + "two", (three) \ four;a=b&c=%20#5`;
/** Keys that are always sent, and those whose values are constant in a session. */
const KEYS = ['br', 'cid', 'd', 'ot', 'rtp', 'sf', 'sid', 'st', 'tab', 'tb', 'v'];
const STATIC_KEYS = ['cid', 'd', 'ot', 'sf', 'sid', 'st', 'tab', 'v'];

const cmcdSettings = (cell: Cell) => ({
  enabled: true,
  version: cell.cmcd,
  mode: modeName(cell),
  sid: SESSION,
  cid: FILM,
  enabledKeys: KEYS,
});

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Adds a request for CMCD to the manifest (ISO/IEC 23009-1, ClientDataReporting). */
function addCmcdParameters(manifest: string, cell: Cell): string {
  const scheme = cell.cmcd === 2 ? 'urn:dashif:cta-5004:2025' : 'urn:mpeg:dash:cta-5004:2023';
  const description = `<ServiceDescription id="0"><ClientDataReporting schemeIdUri="${scheme}">
    <CMCDParameters schemeIdUri="${scheme}" version="${cell.cmcd}" mode="${modeName(cell)}" keys="${KEYS.join(' ')}"
      sessionID="${SESSION}" contentID="${escaped(FILM)}"/></ClientDataReporting></ServiceDescription>`;
  return manifest.replace('<Period', `${description}<Period`);
}

async function askByManifest(edge: TestEdge, cell: Cell): Promise<void> {
  const manifest = await (await fetch(`${edge.url}/content/manifest.mpd`)).text();
  edge.fault = ({ pathname }) =>
    pathname.endsWith('/manifest.mpd')
      ? new Response(addCmcdParameters(manifest, cell), {
          headers: { 'content-type': 'application/dash+xml' },
        })
      : undefined;
}

/** Returns the CMCD keys of a request, and whether they are in the query or in headers. Throws if the keys are malformed. */
export function parseCmcd(request: Request): { keys: Cmcd; place: Mode | 'none' } {
  const query = new URL(request.url()).searchParams.getAll('CMCD');
  const fields = Object.entries(request.headers()).filter(([name]) => name.startsWith('cmcd-'));
  const keys = decodeCmcd([...query, ...fields.map(([, value]) => value)].join(',')) as Cmcd;
  return { keys, place: query.length > 0 ? 'query' : fields.length > 0 ? 'header' : 'none' };
}

/** Returns an array that collects the page's subsequent requests for media segments. */
export function listen(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (/\/content\/.*\/\d+\.m4s/.test(request.url())) requests.push(request);
  });
  return requests;
}

/**
 * Returns the different sets of CMCD in the requests: place, names, and constant values, without `rtp` and the
 * plug-in's own keys.
 */
const listKinds = (requests: readonly Request[]): Set<string> =>
  new Set(
    requests.flatMap((request) => {
      const { keys, place } = parseCmcd(request);
      const names = Object.keys(keys).filter((key) => key !== 'rtp' && !key.startsWith(PLUGIN_KEY));
      if (names.length === 0) return [];
      return JSON.stringify([place, names.sort(), STATIC_KEYS.map((key) => keys[key])]);
    }),
  );

const onlyOneHas = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): T[] => [
  ...[...one].filter((each) => !other.has(each)),
  ...[...other].filter((each) => !one.has(each)),
];

const segmentReasons = (edge: TestEdge) => selectSegments(edge.responses).map(({ reason }) => reason);

export function testCell(cell: Cell): void {
  const { version, cmcd, mode, by } = cell;
  const name = cmcd === 0 ? `no CMCD, rtp by ${mode}` : `CMCD v${cmcd} by ${mode}, set by the ${by}`;
  test(`dash.js ${version}, ${name}: the application's CMCD is kept, and the edge accepts every rtp`, async ({
    page,
    edge,
  }) => {
    const { directory } = await ensureTestContent();
    const plainEdge = await startTestEdge(directory);
    const plainPage = await page.context().newPage();
    try {
      const setUp = {
        version,
        format: 'umd' as const,
        dash: { streaming: { ...(cmcd > 0 && by === 'settings' && { cmcd: cmcdSettings(cell) }) } },
      };
      if (by === 'manifest') for (const each of [edge, plainEdge]) await askByManifest(each, cell);
      const [requests, plain] = [listen(page), listen(plainPage)];
      await Promise.all([
        play(page, edge, { ...setUp, options: { ...STEADY, cmcd: mode } }),
        play(plainPage, plainEdge, { ...setUp, order: 'none' }),
      ]);
      await expect.poll(() => segmentReasons(edge)).toContain('requested');
      await expect.poll(() => plain.length).toBeGreaterThanOrEqual(SEGMENTS);

      expect(new Set(segmentReasons(edge))).toEqual(new Set(['no-rtp', 'requested']));
      // Poll, because either page may be the first to make a kind of request.
      await expect.poll(() => onlyOneHas(listKinds(requests), listKinds(plain))).toEqual([]);
      const sent = plain.map(parseCmcd);
      expect(new Set(sent.map(({ keys }) => keys.cid))).toEqual(new Set([cmcd > 0 ? FILM : undefined]));
      for (const { keys, place } of requests.map(parseCmcd)) {
        expect(PLUGIN_KEY in keys).toBe('rtp' in keys);
        // The sum is absent while another request is in flight unpaced.
        if (SUM_KEY in keys) expect(keys[SUM_KEY]).toBeGreaterThanOrEqual(Number(keys.rtp));
        if ('rtp' in keys) expect(place).toBe(cmcd > 0 ? sent[0]?.place : mode);
      }
      const asked = selectSegments(edge.responses).flatMap(({ asked_kbps }) => asked_kbps ?? []);
      const decided = await page.evaluate(() => window.requests.map(({ requested_kbps }) => requested_kbps));
      for (const pace of asked) expect(decided).toContain(pace);
      await nothingThrown(page);
    } finally {
      await plainPage.close();
      await plainEdge.close();
    }
  });
}
