import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTraces } from './read-traces.ts';

const writeFolder = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'traces-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

const line = (periods: unknown, name: unknown = 'a') => JSON.stringify({ name, periods });

describe('readTraces', () => {
  it('reads JSON Lines and mahimahi traces of a folder, and ignores other files', async () => {
    const folder = await writeFolder({
      'bus.jsonl': `${line([
        [1000, 500, 100],
        [3000, 0, 60],
      ])}\n${line([[5000, 800, 40]], 'b c')}\n`,
      'LTE.down': '1\n2\n',
      'LTE.up': 'not read',
      'README.md': 'not read',
    });
    const traces = await readTraces(folder);
    expect(traces.map(({ name, duration_ms }) => [name, duration_ms])).toEqual([
      ['LTE', 2],
      ['bus-a', 4000],
      ['bus-b-c', 5000],
    ]);
    expect(traces[1]?.link).toMatchObject({
      rate: {
        kind: 'schedule',
        steps: [
          { seconds: 1, mbps: 0.5 },
          { seconds: 3, mbps: 0 },
        ],
      },
      // The time-weighted mean of the latencies: (1 s × 100 ms + 3 s × 60 ms) / 4 s.
      rtt_ms: 70,
    });
    expect(traces[0]?.link.rate).toMatchObject({ kind: 'trace', downlink: join(folder, 'LTE.down') });
  });

  it('reads both formats with a byte-order mark or CRLF line ends', async () => {
    const plain = {
      'x.jsonl': `${line([[1000, 5, 1]])}\n${line([[2000, 6, 1]], 'b')}\n`,
      'y.down': '1\n2\n2\n',
    };
    const saved = (change: (text: string) => string) =>
      Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, change(text)]));
    const rates = async (files: Readonly<Record<string, string>>) =>
      (await readTraces(await writeFolder(files))).map(({ name, duration_ms }) => [name, duration_ms]);
    const expected = [
      ['x-a', 1000],
      ['x-b', 2000],
      ['y', 2],
    ];
    expect(await rates(plain)).toEqual(expected);
    expect(await rates(saved((text) => text.replaceAll('\n', '\r\n')))).toEqual(expected);
    expect(await rates(saved((text) => `\uFEFF${text}`))).toEqual(expected);
    expect(await rates(saved((text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`))).toEqual(expected);
  });

  it('names the expected fields if a file looks like JSON, whatever its name is', async () => {
    const other = '{"bandwidth": 5, "latency": 3}\n';
    const folder = await writeFolder({ 'x.jsonl': other, 'x.down': other });
    for (const name of ['x.jsonl', 'x.down'])
      await expect(readTraces(join(folder, name))).rejects.toThrow(
        /line 1: expected the fields name and periods \(a list of \[duration_ms .*\), not bandwidth, latency$/,
      );
  });

  it('rounds the ends of periods to whole milliseconds', async () => {
    const folder = await writeFolder({
      'x.jsonl': line([
        [10.4, 5, 1],
        [0.2, 6, 1],
        [10.4, 7, 1],
      ]),
    });
    const [trace] = await readTraces(folder);
    // The periods end at 10.4, 10.6 and 21 ms.
    const steps = [
      { seconds: 0.01, mbps: 0.005 },
      { seconds: 0.001, mbps: 0.006 },
      { seconds: 0.01, mbps: 0.007 },
    ];
    expect(trace).toMatchObject({ duration_ms: 21, link: { rate: { steps } } });
  });

  it('numbers traces with the same name', async () => {
    const folder = await writeFolder({ 'x.jsonl': `${line([[1000, 5, 1]])}\n${line([[1000, 6, 1]])}` });
    expect((await readTraces(folder)).map(({ name }) => name)).toEqual(['x-a', 'x-a-2']);
  });

  it('makes names unique and short, even if a trace already has a numbered name', async () => {
    const named = (name: string) => line([[1000, 5, 1]], name);
    const folder = await writeFolder({ 'x.jsonl': ['a', 'a', 'a-2', 'b-2', 'b', 'b'].map(named).join('\n') });
    expect((await readTraces(folder)).map(({ name }) => name)).toEqual([
      ...['x-a', 'x-a-2', 'x-a-2-2'],
      ...['x-b-2', 'x-b', 'x-b-3'],
    ]);
    const long = await writeFolder({
      'x.jsonl': ['one', 'other'].map((end) => named('n'.repeat(300) + end)).join('\n'),
    });
    const names = (await readTraces(long)).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(150);
  });

  it.each([
    [
      'a negative rate',
      line([[1000, -5, 10]]),
      /x\.jsonl, line 1 \(a\), period 1: a rate of -5 kbit\/s; expected 0/,
    ],
    ['no length', line([[0, 5, 10]]), /period 1: a length of 0 ms; expected more than 0/],
    ['a negative latency', line([[10, 5, -1]]), /period 1: a latency of -1 ms/],
    ['less than a millisecond', line([[0.2, 5, 1]]), /line 1 \(a\): a length of 0.2 ms; expected at least 1/],
    ['only zeros', line([[1000, 0, 10]]), /line 1 \(a\): all rates are 0; nothing would ever arrive/],
    [
      'an endless length',
      line([
        [1e308, 5, 10],
        [1e308, 5, 10],
      ]),
      /line 1 \(a\): a length of Infinity ms; expected a shorter trace/,
    ],
    ['a name of two lines', line([[1000, -5, 10]], 'a\nb'), /line 1 \(a b\), period 1: a rate of -5 kbit/],
    ['no periods', line([]), /expected a list of periods, not \[\]/],
    ['two numbers', line([[1000, 5]]), /period 1: expected \[duration_ms above 0, .* not \[1000,5\]/],
    ['text for a number', line([[1000, '5', 1]]), /period 1: expected/],
    ['no name', line([[1000, 5, 1]], 7), /expected a name, not 7/],
    ['no JSON', '{"name":', /line 1: expected a JSON object, not \{"name":/],
    ['null', 'null', /line 1: expected a JSON object, not null/],
    ['nothing', '\n', /x\.jsonl is empty/],
  ])('refuses a trace with %s in one line', async (_, text, message) => {
    const folder = await writeFolder({ 'x.jsonl': text });
    const error = await readTraces(folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });

  it.each([
    ['-5\n', /line 1: expected a time in whole milliseconds/],
    ['0\n0\n', /expected the last time to be above 0/],
    ['', /is empty/],
  ])('refuses the mahimahi trace %j', async (text, message) => {
    await expect(readTraces(join(await writeFolder({ 'x.down': text }), 'x.down'))).rejects.toThrow(message);
  });

  it('reports an empty folder', async () => {
    await expect(readTraces('/nowhere')).rejects.toThrow('there is no file or folder of traces /nowhere');
    await expect(readTraces(await writeFolder({ 'a.txt': '1' }))).rejects.toThrow('there are no traces in');
  });
});
