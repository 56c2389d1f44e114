import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Row {
  readonly arm: string;
  readonly rate_mbps: number;
  readonly queue_bdp: number;
  readonly http_response_ms: number;
  readonly mean_ssim_db: number;
}
const { rows } = JSON.parse(read('docs/results/log/slow-links.json')) as { readonly rows: readonly Row[] };

const cellsOfLine = (page: string, mbps: number): string[] => {
  const line = read(page)
    .split('\n')
    .find((each) => each.startsWith(`| ${mbps} Mbit/s`));
  return (line ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
};

/** [seconds, dB] as the pages write them. */
const figures = (mbps: number, arm: string): readonly [string, string] => {
  const row = rows.find((each) => each.arm === arm && each.rate_mbps === mbps && each.queue_bdp === 4);
  if (!row) throw new Error(`no ${arm} at ${mbps} Mbit/s`);
  const { http_response_ms, mean_ssim_db } = row;
  return [(http_response_ms / 1000).toFixed(http_response_ms < 10_000 ? 2 : 1), mean_ssim_db.toFixed(1)];
};

it.each([2, 5, 10, 20, 40])(
  'README and guide have the committed figures of slow links: %d Mbit/s',
  (mbps) => {
    const [stock, ours, considerate] = ['dashjs', 'sammy-careful', 'sammy-considerate'].map((arm) =>
      figures(mbps, arm),
    );
    expect(cellsOfLine('README.md', mbps)).toEqual(
      [stock, ours, considerate].map((each) => each?.join(', ')),
    );
    expect(cellsOfLine('docs/guide/algorithms/considerate.md', mbps)).toEqual([
      stock?.[0],
      considerate?.[0],
      stock?.[1],
      considerate?.[1],
    ]);
  },
);
