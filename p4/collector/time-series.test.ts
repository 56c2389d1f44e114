import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Postcard } from './postcard.ts';
import { COLUMNS, TimeSeries } from './time-series.ts';

const folder = mkdtempSync(join(tmpdir(), 'p4-series-'));
afterAll(() => rmSync(folder, { recursive: true }));

const flow = {
  etherType: 0x0800,
  source: '10.0.0.1',
  destination: '10.0.0.2',
  protocol: 6,
  sourcePort: 443,
  destinationPort: 5000,
};
const segment: Postcard = {
  switchId: 7,
  ingressPort: 1,
  egressPort: 2,
  flow,
  tcp: { sequence: 4_000_000_000, acknowledgement: 12, flags: 16 },
  payloadLength: 1448,
  packetLength: 1514,
  enqueueDepth: 30,
  dequeueDepth: 29,
  t_s: 12.345678,
  queueTime: 9000,
  dropped: false,
  marked: true,
  number: 99,
};
const ping: Postcard = {
  ...segment,
  tcp: undefined,
  flow: { ...flow, protocol: 1, sourcePort: undefined, destinationPort: undefined },
};

const lines = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !/^# (Post|t_s|this)/.test(line));
const EXPECTED = [
  COLUMNS,
  '# flow 1: tcp 10.0.0.1:443 > 10.0.0.2:5000',
  '12.345678,7,1,2,1,4000000000,12,16,1448,1514,30,29,9000,0,1,99',
  '# flow 2: icmp 10.0.0.1 > 10.0.0.2',
  '12.345678,7,1,2,2,,,,1448,1514,30,29,9000,0,1,99',
  '12.345678,7,1,2,1,4000000000,12,16,1448,1514,30,29,9000,0,1,99',
];

describe('one line per postcard', () => {
  test('uncompressed', () => {
    const path = join(folder, 'plain.csv');
    const series = new TimeSeries(path);
    for (const postcard of [segment, ping, segment]) series.add(postcard);
    series.close();
    expect(lines(readFileSync(path, 'utf8'))).toEqual(EXPECTED);
    const columns = COLUMNS.split(',').length;
    for (const line of EXPECTED.filter((each) => /^[0-9]/.test(each)))
      expect(line.split(',')).toHaveLength(columns);
  });

  test('compressed: every batch can be read once written', () => {
    const path = join(folder, 'packed.csv.gz');
    const series = new TimeSeries(path);
    series.add(segment);
    series.flush();
    expect(lines(gunzipSync(readFileSync(path)).toString())).toEqual(EXPECTED.slice(0, 3));
    for (const postcard of [ping, segment]) series.add(postcard);
    series.close();
    expect(lines(gunzipSync(readFileSync(path)).toString())).toEqual(EXPECTED);
  });

  test('contains all postcards, for any number of batches', () => {
    const path = join(folder, 'many.csv');
    const series = new TimeSeries(path);
    for (let at = 0; at < 5000; at++) series.add({ ...segment, number: at });
    series.close();
    const numbers = lines(readFileSync(path, 'utf8'))
      .slice(2)
      .map((line) => Number(line.split(',').at(-1)));
    expect(numbers).toEqual(Array.from({ length: 5000 }, (_, at) => at));
  });
});

describe('errors are one line', () => {
  test('the folder does not exist, or the path is a folder', () => {
    expect(() => new TimeSeries(join(folder, 'none', 'x.csv'))).toThrow(
      /cannot be written: its folder does not exist/,
    );
    expect(() => new TimeSeries(folder)).toThrow(/it is a folder/);
  });

  test.skipIf(!existsSync('/dev/full'))('the disk is full', () => {
    const series = new TimeSeries('/dev/full');
    expect(() => series.close()).toThrow(/the disk is full/);
  });
});
