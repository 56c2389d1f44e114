import { expect, it } from 'vitest';
import { readCells, readProjectFile } from './read-cells.ts';

interface Row {
  readonly arm: string;
  readonly rate_mbps: number;
  readonly queue_bdp: number;
  readonly http_response_ms: number;
  readonly mean_ssim_db: number;
}
const { rows } = JSON.parse(readProjectFile('docs/results/log/slow-links.json')) as {
  readonly rows: readonly Row[];
};

/** Returns the time in seconds and the quality in dB, formatted as on the pages. */
const figures = (mbps: number, arm: string): readonly [string, string] => {
  const row = rows.find((each) => each.arm === arm && each.rate_mbps === mbps && each.queue_bdp === 4);
  if (!row) throw new Error(`no ${arm} at ${mbps} Mbit/s`);
  const { http_response_ms, mean_ssim_db } = row;
  return [(http_response_ms / 1000).toFixed(http_response_ms < 10_000 ? 2 : 1), mean_ssim_db.toFixed(1)];
};

const RATES_MBPS = [2, 5, 10, 20, 40];

it.each([
  ['stock dash.js', 'dashjs'],
  ['default', 'sammy-careful'],
  ['`considerate()`', 'sammy-considerate'],
])('the README has the committed figures of slow links: %s', (name, arm) => {
  const expected = RATES_MBPS.map((mbps) => figures(mbps, arm).join(', '));
  expect(readCells('README.md', `| ${name} `)).toContainEqual(expected);
});

it.each(RATES_MBPS)('the guide contains the committed figures of slow links: %d Mbit/s', (mbps) => {
  const [stock, considerate] = ['dashjs', 'sammy-considerate'].map((arm) => figures(mbps, arm));
  const expected = [stock?.[0], considerate?.[0], stock?.[1], considerate?.[1]];
  expect(readCells('docs/guide/algorithms/considerate.md', `| ${mbps} Mbit/s `)).toContainEqual(expected);
});
