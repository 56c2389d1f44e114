import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { splitCmcdQuery, readCmcd } from '../../edge/cmcd.ts';
import { CHANGE_PATH } from '../../src/wire/rtp.ts';
import { root } from '../../tools/steps.ts';
import { playVirtually } from './session.ts';

const CLOSE_LOOP = buildSync({
  entryPoints: [join(root, 'src/loop/index.ts')],
  ...{ bundle: true, write: false, format: 'iife', globalName: 'dashjsSammyLoop', target: 'es2022' },
}).outputFiles[0]?.text;

/**
 * Returns the script of a page whose edge does or does not accept changes, and that records what the page requests from
 * it.
 */
const page = (offers: boolean) => `
  ${CLOSE_LOOP}
  seen.changes = [];
  fetch = (url) => { seen.changes.push(url); return Promise.resolve(); };
  ${
    offers
      ? `player.addResponseInterceptor((response) => {
    if (response.headers?.['server-timing']) response.headers['server-timing'] += ', pace-change';
    return Promise.resolve(response);
  });`
      : ''
  }
`;

const requestedCmcd = (url: URL | string) => readCmcd({ url: String(url), headers: new Headers() });

it('sends a floor with each paced segment, and nothing else to an edge that does not accept changes', () => {
  const {
    requests,
    page: played,
    warnings,
    seen,
  } = playVirtually('5', {
    before: '',
    then: `${page(false)} dashjsSammyLoop.closeLoop(player, sammy);`,
  });
  const paced = requests.filter(({ rtp }) => rtp > 0).map(({ url }) => requestedCmcd(url));
  expect(paced.length).toBeGreaterThan(5);
  for (const { rtp, floor, change, sum } of paced) {
    expect(rtp && 'pace' in rtp && floor !== null && floor > 0 && floor <= rtp.pace).toBe(true);
    expect(sum).not.toBeNull();
    expect(change).toBeNull();
  }
  // With more than the reserve in the buffer, the floor is the bitrate divided by the goodput: 3300 / 0.9, rounded up.
  expect(paced.at(-1)?.floor).toBe(3700);
  expect(seen.changes).toEqual([]);
  expect([played.errors, warnings]).toEqual([[], []]);
});

it('requests a higher pace for a segment in flight when the viewer needs it', () => {
  const { urls, seen } = playVirtually('5', {
    // The segment takes two seconds at its pace, long enough for the viewer to change something.
    segment_s: 6,
    then: `${page(true)} dashjsSammyLoop.closeLoop(player, sammy);
      paced(1, () => setTimeout(() => player.setPlaybackRate(8), 100));`,
  });
  const changes = (seen.changes as string[]).map((url) => new URL(url));
  expect(changes.length).toBeGreaterThan(0);
  const asked = urls.map((url) => requestedCmcd(url).change).filter((secret) => secret !== null);
  const secrets = new Set(asked);
  // Each response has its own secret.
  expect(secrets.size).toBe(asked.length);
  for (const url of changes) {
    expect(url.pathname).toBe(CHANGE_PATH);
    const { change, fromPlugin } = requestedCmcd(url);
    expect(fromPlugin && change !== null && secrets.has(change)).toBe(true);
    expect(splitCmcdQuery(url.search).rest).toBe('');
  }
});

it('adds its keys to requests of the next source too, and to none after it is detached', () => {
  const { requests, seen } = playVirtually('5', {
    seconds: 40,
    then: `${page(false)} const loop = dashjsSammyLoop.closeLoop(player, sammy);
      setTimeout(() => player.attachSource('http://film.example/manifest.mpd'), 10000);
      setTimeout(() => { loop.detach(); seen.detached = performance.now(); }, 25000);`,
  });
  const floored = requests.filter(({ url }) => requestedCmcd(url).floor !== null).map(({ at_ms }) => at_ms);
  expect(floored.some((at) => at > 10_000 && at < 25_000)).toBe(true);
  expect(floored.filter((at) => at > Number(seen.detached))).toEqual([]);
});
