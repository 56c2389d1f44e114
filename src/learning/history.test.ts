import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InitialThroughputHistory, sessionsAt } from './history.ts';
import type { TextStorage } from './text-storage.ts';
import { kbps, milliseconds } from '../units.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const HOME = 'wifi 4g https://cdn.example';
const TRAIN = 'cellular 3g https://cdn.example';
const createStorage = (text: string | null = null): TextStorage & { text: string | null } => ({
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
const createHistory = (...throughputs: number[]) => {
  const storage = createStorage();
  const history = new InitialThroughputHistory(storage);
  for (const value of throughputs) history.add(kbps(value), now, HOME);
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
    expect(createHistory(...throughputs).history.estimate(now, HOME)?.throughput).toBe(median);
  });

  it('is stored beyond the lifetime of the object', () => {
    const { storage } = createHistory(5000);
    expect(new InitialThroughputHistory(storage).estimate(now, HOME)?.throughput).toBe(5000);
  });

  it('returns the throughput of each session', () => {
    expect(sessionsAt(createHistory(3000, 1000).storage, now, HOME)).toEqual([3000, 1000]);
    expect(sessionsAt(createHistory(3000, 1000).storage, now, TRAIN)).toEqual([]);
  });

  it('keeps the last ten sessions', () => {
    // Twelve sessions had 1 to 12 kbit/s. The last ten are kept: 3 to 12 kbit/s, whose median is 7.5.
    expect(
      createHistory(...Array.from({ length: 12 }, (_, index) => index + 1)).history.estimate(now, HOME)
        ?.throughput,
    ).toBe(7.5);
  });

  it('ignores entries older than two weeks, and entries from the future', () => {
    const { history } = createHistory(5000);
    expect(history.estimate(later(14), HOME)?.throughput).toBe(5000);
    expect(history.estimate(later(14.01), HOME)?.throughput).toBeUndefined();
    expect(history.estimate(later(-1), HOME)?.throughput).toBeUndefined();
    history.add(kbps(1000), later(10), HOME);
    expect(history.estimate(later(15), HOME)?.throughput).toBe(1000);
  });

  it('separates places', () => {
    const { history } = createHistory(5000);
    history.add(kbps(400), now, TRAIN);
    expect(history.estimate(now, HOME)?.throughput).toBe(5000);
    expect(history.estimate(now, TRAIN)?.throughput).toBe(400);
    expect(history.estimate(now, '')).toBeUndefined();
    // After many sessions on the train, the session at home is still stored.
    for (let session = 0; session < 12; session++) history.add(kbps(400), now, TRAIN);
    expect(history.estimate(now, HOME)?.throughput).toBe(5000);
  });

  it('keeps the last sixty sessions of all places', () => {
    const { history } = createHistory(5000);
    for (let place = 0; place < 59; place++) history.add(kbps(100), now, `place ${place}`);
    expect(history.estimate(now, HOME)).toBeDefined();
    history.add(kbps(100), now, 'one more');
    expect(history.estimate(now, HOME)).toBeUndefined();
  });

  it.each([
    [0, 1],
    [1, 1],
    [25, 0.5],
    [49, 0.25],
  ])('trusts what is %d hours old by %d', (hours, trust) => {
    expect(createHistory(5000).history.estimate(later(hours / 24), HOME)?.trust).toBeCloseTo(trust, 12);
  });

  it('uses the sessions of the last hour, if there are any', () => {
    const { history } = createHistory(1000, 1000, 1000);
    history.add(kbps(9000), later(1), HOME);
    expect(history.estimate(later(1 + 1 / 24), HOME)).toEqual({ throughput: 9000, trust: 1 });
    // Later, there are no sessions of the last hour, so all are used.
    expect(history.estimate(later(1 + 2 / 24), HOME)?.throughput).toBe(1000);
  });

  it('stores a refusal of rtp for an hour, and a second refusal for a day', () => {
    const { history } = createHistory(5000);
    const refused = (hours: number) =>
      ['a', 'b', 'c'].filter((name) => history.refuses(`https://${name}.example`, later(hours / 24)));
    history.addRefusal('https://a.example', now);
    history.addRefusal('https://b.example', now);
    history.add(kbps(5000), now, HOME);
    expect([refused(-48), refused(0.9), refused(1.1)]).toEqual([[], ['a', 'b'], []]);
    history.addRefusal('https://a.example', later(2 / 24));
    expect([refused(3), refused(25.9), refused(26.1)]).toEqual([['a'], ['a'], []]);
    // A refusal more than a day later counts as a first refusal again.
    history.addRefusal('https://b.example', later(26 / 24));
    expect([refused(26.9), refused(27.1)]).toEqual([['b'], []]);
    expect(history.estimate(now, HOME)?.throughput).toBe(5000);
    history.reset();
    expect(refused(26.5)).toEqual([]);
  });

  it.each([null, 5, 'text', [], [1], { 'https://a.example': 'now' }])(
    'treats %j as no refusals, and overwrites it',
    (refusals) => {
      const history = new InitialThroughputHistory(createStorage(JSON.stringify({ version: 2, refusals })));
      expect(history.refuses('https://a.example', now)).toBe(false);
      history.addRefusal('https://a.example', now);
      expect(history.refuses('https://a.example', now)).toBe(true);
    },
  );

  it('keeps the latest twenty refusals', () => {
    const storage = createStorage(null);
    const history = new InitialThroughputHistory(storage);
    for (let count = 0; count < 100; count++) history.addRefusal(`https://${count}.example`, now);
    expect(history.refuses('https://79.example', now)).toBe(false);
    expect(history.refuses('https://80.example', now)).toBe(true);
    expect(storage.text?.length).toBeLessThan(2000);
  });

  it('can be reset', () => {
    const { history, storage } = createHistory(5000);
    history.reset();
    expect(history.estimate(now, HOME)?.throughput).toBeUndefined();
    expect(storage.text).toBeNull();
  });

  it.each([0, -1, Number.NaN, Infinity, 100_000_001])('does not store %d kbit/s', (value) => {
    expect(createHistory(value).storage.text).toBeNull();
  });

  const entry = { place: HOME, throughput_kbps: 5000, at_ms: now };
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
    JSON.stringify({ version: 1, entries: [entry] }),
    JSON.stringify({ version: 3, entries: [entry] }),
    JSON.stringify({ version: '2', entries: [entry] }),
    JSON.stringify({ entries: [entry] }),
    ...[
      { throughput_kbps: '5000' },
      { throughput_kbps: -5 },
      { throughput_kbps: 1e12 },
      { throughput_kbps: null },
      { at_ms: null },
      { at_ms: 'now' },
      { at_ms: now + 1 },
      { place: null },
      { place: undefined },
    ].map((spoilt) => JSON.stringify({ version: 2, entries: [{ ...entry, ...spoilt }] })),
  ])('reads %j as no memory, and overwrites it', (text) => {
    const storage = createStorage(text);
    const history = new InitialThroughputHistory(storage);
    expect(history.estimate(now, HOME)?.throughput).toBeUndefined();
    history.add(kbps(7000), now, HOME);
    expect(history.estimate(now, HOME)?.throughput).toBe(7000);
  });

  it('keeps valid entries among invalid ones', () => {
    const text = JSON.stringify({
      version: 2,
      entries: [null, entry, { place: HOME, throughput_kbps: 'x', at_ms: now }],
    });
    expect(new InitialThroughputHistory(createStorage(text)).estimate(now, HOME)?.throughput).toBe(5000);
  });

  it('accepts any stored text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const estimate = new InitialThroughputHistory(createStorage(text)).estimate(now, HOME)?.throughput;
        expect(estimate).toBeUndefined();
      }),
    );
  });

  it('ignores errors of the storage', () => {
    const broken = (): never => {
      throw new Error('SecurityError');
    };
    const history = new InitialThroughputHistory({ read: broken, write: broken, remove: broken });
    expect(history.estimate(now, HOME)?.throughput).toBeUndefined();
    expect(() => history.add(kbps(5000), now, HOME)).not.toThrow();
    expect(() => history.reset()).not.toThrow();
  });
});
