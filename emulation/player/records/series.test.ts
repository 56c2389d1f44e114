import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { representative } from '../../studies/report/representative.ts';
import { chooseBin_s, readSeries, thin } from './series.ts';
import { record } from '../../studies/report/testing/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'report-series-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, ...lines: string[]) =>
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);

describe('readSeries', () => {
  it('reads one column against the time, and omits empty cells', () => {
    write('link.csv', 't_s,departed_bytes,queue_delay_ms', '0,1500,2.5', '0.1,0,', '0.2,3000,1');
    expect(readSeries(folder, 'link.csv', 'queue_delay_ms')).toEqual([
      { t_s: 0, value: 2.5 },
      { t_s: 0.2, value: 1 },
    ]);
  });

  it('is empty for a missing file', () => {
    expect(readSeries(folder, 'queue.csv', 'depth_packets')).toEqual([]);
  });

  it('names the file and the problem', () => {
    write('broken.csv', 't_s,srtt_ms', '0,5', '0.1,oops');
    expect(() => readSeries(folder, 'broken.csv', 'srtt_ms')).toThrow(
      `${join(folder, 'broken.csv')}: line 3 is not 2 numbers: '0.1,oops'`,
    );
    expect(() => readSeries(folder, 'broken.csv', 'rtt')).toThrow("no column 'rtt'");
    write('cut.csv', 't_s,a,b', '0,1,2', '0.1,1');
    expect(() => readSeries(folder, 'cut.csv', 'a')).toThrow('line 3');
  });
});

describe('thin', () => {
  it('averages over bins, and puts the point in the middle', () => {
    const series = [0, 0.1, 0.2, 0.3].map((t_s, index) => ({ t_s, value: index * 10 }));
    const thinned = thin(series, 0.2);
    expect(thinned.map(({ value }) => value)).toEqual([5, 25]);
    expect(thinned[0]?.t_s).toBeCloseTo(0.1, 12);
    expect(thinned[1]?.t_s).toBeCloseTo(0.3, 12);
  });

  it('puts every tenth of a second into its own bin', () => {
    const series = Array.from({ length: 100 }, (_, index) => ({ t_s: index / 10, value: index }));
    expect(thin(series, 0.1).map(({ value }) => value)).toEqual(series.map(({ value }) => value));
  });

  it('interrupts the line at a gap of more than a second', () => {
    const at = (t_s: number) => ({ t_s, value: 1 });
    expect(thin([at(0), at(1)], 0.1).map(({ value }) => value)).toEqual([1, 1]);
    expect(thin([at(0), at(1.2)], 0.1).map(({ value }) => value)).toEqual([1, NaN, 1]);
  });
});

describe('chooseBin_s', () => {
  it('is 100 ms, or the lowest multiple that is sufficient', () => {
    expect(chooseBin_s(60, 600)).toBe(0.1);
    expect(chooseBin_s(300, 600)).toBe(0.5);
    expect(chooseBin_s(120, 500)).toBe(0.3);
  });
});

describe('representative', () => {
  const run = (k: number, chunk_throughput_kbps: number) =>
    record('sammy-paper', k, { chunk_throughput_kbps });

  it('is the run with the median chunk throughput, and the lower one of two', () => {
    expect(representative([run(1, 30), run(2, 10), run(3, 20)])?.k).toBe(3);
    expect(representative([run(1, 30), run(2, 10), run(3, 20), run(4, 40)])?.k).toBe(3);
    expect(representative([])).toBeUndefined();
  });
});
