import { expect, it } from 'vitest';
import { readCells, readProjectFile } from './read-cells.ts';

interface Row {
  readonly metric: string;
  readonly dashjs: number;
  readonly 'sammy-careful': number;
  readonly 'sammy-smooth': number;
  readonly changes_pct: Readonly<Record<string, number>>;
}
const { rows } = JSON.parse(readProjectFile('docs/results/log/sessions.json')) as {
  readonly rows: readonly Row[];
};

const mbps = (kbps: number): string => (kbps / 1000).toFixed(1);
const tenths = (value: number): string => value.toFixed(1);
const whole = (value: number): string => value.toFixed(0);

/** Each line of the tables, the metric that it shows, and the metric's format. */
it.each<[line: string, metric: string, format: (value: number) => string]>([
  ['chunk throughput', 'chunk_throughput_kbps', mbps],
  ['round-trip time', 'rtt_median_ms', tenths],
  ['a TCP flow beside it', 'tcp_throughput_mbps', tenths],
  ['3 MB by HTTP beside it', 'http_response_ms', whole],
  ["a UDP flow's delay", 'udp_owd_ms', tenths],
])('the README and the results have the committed figures of: %s', (line, metric, format) => {
  const row = rows.find((each) => each.metric === metric);
  if (!row) throw new Error(`no ${metric}`);
  const paced = (['sammy-careful', 'sammy-smooth'] as const).map((arm) => {
    const change = row.changes_pct[arm] ?? NaN;
    return `${format(row[arm])} (${change > 0 ? '+' : ''}${whole(change)}%)`;
  });
  for (const page of ['README.md', 'docs/results/index.md']) {
    const [[stock, ...others] = []] = readCells(page, `| ${line} `);
    expect(stock, page).toMatch(new RegExp(`^${format(row.dashjs)}( |$)`));
    expect(others.slice(0, 2), page).toEqual(paced);
  }
});
