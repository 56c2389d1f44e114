import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InitialThroughputHistory, type TextStorage } from './history.ts';
import { kbps, milliseconds } from './units.ts';

const DAY_MS = 24 * 3600 * 1000;
const storageOf = (text: string | null = null): TextStorage & { text: string | null } => ({
  text,
  read() {
    return this.text;
  },
  write(given) {
    this.text = given;
  },
  remove() {
    this.text = null;
  },
});
const now = milliseconds(1_700_000_000_000);
const later = (days: number) => milliseconds(now + days * DAY_MS);
const historyOf = (...throughputs: number[]) => {
  const storage = storageOf();
  const history = new InitialThroughputHistory(storage);
  for (const value of throughputs) history.add(kbps(value), now);
  return { history, storage };
};

describe('InitialThroughputHistory', () => {
  it.each([
    [[], undefined],
    [[5000], 5000],
    [[1000, 9000], 5000],
    [[9000, 1000, 2000], 2000],
    [[1, 100, 3, 2], 2.5],
  ])('remembers %j as %s, the median', (throughputs, median) => {
    expect(historyOf(...throughputs).history.estimate(now)).toBe(median);
  });

  it('outlives its object', () => {
    const { storage } = historyOf(5000);
    expect(new InitialThroughputHistory(storage).estimate(now)).toBe(5000);
  });

  it('keeps the last ten sessions', () => {
    // Of 1..12, 3..12 are kept: the median is 7.5.
    expect(historyOf(...Array.from({ length: 12 }, (_, index) => index + 1)).history.estimate(now)).toBe(7.5);
  });

  it('forgets after two weeks, and does not believe the future', () => {
    const { history } = historyOf(5000);
    expect(history.estimate(later(14))).toBe(5000);
    expect(history.estimate(later(14.01))).toBeUndefined();
    expect(history.estimate(later(-1))).toBeUndefined();
    history.add(kbps(1000), later(10));
    expect(history.estimate(later(15))).toBe(1000);
  });

  it('can be reset', () => {
    const { history, storage } = historyOf(5000);
    history.reset();
    expect(history.estimate(now)).toBeUndefined();
    expect(storage.text).toBeNull();
  });

  it.each([0, -1, Number.NaN, Infinity, 100_000_001])('does not remember %d kbit/s', (value) => {
    expect(historyOf(value).storage.text).toBeNull();
  });

  const entry = { throughput_kbps: 5000, at_ms: now };
  it.each([
    '',
    'null',
    'true',
    '42',
    '"text"',
    '[]',
    '{}',
    '{"version":1',
    '{"version":1}',
    '{"version":1,"entries":null}',
    '{"version":1,"entries":{"0":1}}',
    '{"version":1,"entries":[]}',
    '{"version":1,"entries":[null,1,"x",[],{}]}',
    JSON.stringify({ version: 2, entries: [entry] }),
    JSON.stringify({ version: '1', entries: [entry] }),
    JSON.stringify({ entries: [entry] }),
    ...[
      { throughput_kbps: '5000' },
      { throughput_kbps: -5 },
      { throughput_kbps: 1e12 },
      { throughput_kbps: null },
      { at_ms: null },
      { at_ms: 'now' },
      { at_ms: now + 1 },
    ].map((spoilt) => JSON.stringify({ version: 1, entries: [{ ...entry, ...spoilt }] })),
  ])('takes %j for no memory, and writes a good one over it', (text) => {
    const storage = storageOf(text);
    const history = new InitialThroughputHistory(storage);
    expect(history.estimate(now)).toBeUndefined();
    history.add(kbps(7000), now);
    expect(history.estimate(now)).toBe(7000);
  });

  it('keeps the good entries among the bad', () => {
    const text = JSON.stringify({ version: 1, entries: [null, entry, { throughput_kbps: 'x', at_ms: now }] });
    expect(new InitialThroughputHistory(storageOf(text)).estimate(now)).toBe(5000);
  });

  it('survives whatever is stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const estimate = new InitialThroughputHistory(storageOf(text)).estimate(now);
        expect(estimate).toBeUndefined();
      }),
    );
  });

  it('lives without a storage that throws', () => {
    const broken = (): never => {
      throw new Error('SecurityError');
    };
    const history = new InitialThroughputHistory({ read: broken, write: broken, remove: broken });
    expect(history.estimate(now)).toBeUndefined();
    expect(() => history.add(kbps(5000), now)).not.toThrow();
    expect(() => history.reset()).not.toThrow();
  });
});
