import { describe, expect, it } from 'vitest';
import { bytes, kbps, milliseconds, type Kbps } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { InitialThroughputHistory } from './history.ts';
import { NetworkModel, type LearningContext, type LearningRequest } from './network-model.ts';
import type { Transfer } from './transfer.ts';

const DEFAULT = kbps(4000);
const HOUR_MS = 3600 * 1000;
const TODAY = milliseconds(1_800_000_000_000);
const NO_BOUND = () => kbps(Infinity);

/** 1 MB, so that a second of download is 8,000 kbit/s. */
const MEGABYTE = bytes(1_000_000);

const asked = (given: Partial<LearningRequest> = {}): LearningRequest => ({
  media_type: 'video',
  requested_kbps: null,
  segment_duration_s: 2,
  low_latency: false,
  phase: 'playing',
  ...given,
});

const transfer = (given: Partial<Transfer> = {}): Transfer => ({
  outcome: 'completed',
  size_bytes: MEGABYTE,
  download_ms: 1000,
  receipt: {},
  ...given,
});

const minRtt = (rtt_ms: number): Receipt => ({ min_rtt_ms: milliseconds(rtt_ms) });

function newHistory(...entries: { throughput: number; age_ms: number; place?: string }[]) {
  let text: string | null = null;
  const history = new InitialThroughputHistory({
    read: () => text,
    write: (value) => (text = value),
    remove: () => (text = null),
  });
  for (const { throughput, age_ms, place = 'here' } of entries)
    history.add(kbps(throughput), milliseconds(TODAY - age_ms), place);
  return history;
}

/** A model at time 0 that can be told to wait. */
function newModel(given: Partial<LearningContext> = {}, before?: NetworkModel) {
  let now = 0;
  const context: LearningContext = {
    now: () => milliseconds(now),
    today: () => TODAY,
    place: () => 'here',
    defaultThroughput: () => DEFAULT,
    ...given,
  };
  const model = new NetworkModel(context, before);
  return {
    model,
    wait: (duration_ms: number) => (now += duration_ms),
    learn: (request?: Partial<LearningRequest>, ended?: Partial<Transfer>, bound = NO_BOUND) =>
      model.learn(asked(request), transfer(ended), bound),
  };
}

describe('before the first download', () => {
  it('expects the default throughput and knows nothing', () => {
    const { model } = newModel();
    expect(model.estimate('video')).toBeUndefined();
    expect(model.sampledEstimate('video')).toBeUndefined();
    expect(model.expectedThroughput('video')).toBe(DEFAULT);
    expect(model.initialThroughput).toBe(DEFAULT);
    expect(model.isKnown('video')).toBe(false);
    expect(model.ceilingFor('video')).toBe(Infinity);
    expect(model.networkThroughputs('video')).toEqual([]);
    expect(model.pacingHonored).toBe('unknown');
  });

  it('starts from the history of this place', () => {
    const history = newHistory(
      { throughput: 9000, age_ms: 0 },
      { throughput: 100, age_ms: 0, place: 'train' },
    );
    const { model } = newModel({ history });
    expect(model.initialThroughput).toBe(9000);
    expect(model.estimate('audio')).toBeCloseTo(9000);
    expect(model.expectedThroughput('audio')).toBeCloseTo(9000);
    expect(model.sampledEstimate('audio')).toBeUndefined();
  });

  it('uses one place for all sessions if places cannot be distinguished', () => {
    const history = newHistory({ throughput: 9000, age_ms: 0, place: '' });
    expect(newModel({ history, place: undefined }).model.initialThroughput).toBe(9000);
  });

  it('averages an old history with the default on a logarithmic scale', () => {
    // An hour of full trust and one half-life of a day: a trust of 0.5. The square root of 16 is 4.
    const history = newHistory({ throughput: 16 * DEFAULT, age_ms: 25 * HOUR_MS });
    expect(newModel({ history }).model.initialThroughput).toBeCloseTo(4 * DEFAULT);
  });

  it('knows the network from a history that is trusted by half', () => {
    const known = (age_ms: number) => {
      const history = newHistory({ throughput: 9000, age_ms });
      return newModel({ history }).model.isKnown('video');
    };
    expect(known(25 * HOUR_MS)).toBe(true);
    expect(known(26 * HOUR_MS)).toBe(false);
  });

  it('gives an old history half the weight of a recent one', () => {
    // A quarter of a second at the sample's rate, after half a second at the seed's rate, or a quarter of a second.
    const estimateAfter = (throughput: number, age_ms: number) => {
      const { model, learn } = newModel({ history: newHistory({ throughput, age_ms }) });
      learn({}, { size_bytes: 250_000, download_ms: 250, from_cache: false });
      return model.estimate('video');
    };
    // Both seeds are 4 times the default: 16,000 kbit/s. The sample has 8,000 kbit/s.
    expect(estimateAfter(16_000, 0)).toBeGreaterThan(13_000);
    expect(estimateAfter(64_000, 25 * HOUR_MS)).toBeGreaterThan(11_500);
    expect(estimateAfter(64_000, 25 * HOUR_MS)).toBeLessThan(12_500);
  });
});

describe('a download', () => {
  it('is a sample of the network', () => {
    const { model, learn } = newModel();
    expect(learn()).toEqual({
      isNetworkSample: true,
      mayBeCached: false,
      fromCache: false,
      achieved: 8000,
      paceLimited: false,
    });
    expect(model.estimate('video')).toBeCloseTo(8000);
    expect(model.sampledEstimate('video')).toBeCloseTo(8000);
    expect(model.expectedThroughput('video')).toBeCloseTo(8000);
    expect(model.isKnown('video')).toBe(true);
    expect(model.isKnown('audio')).toBe(false);
  });

  it('is no sample if nothing arrived', () => {
    for (const ended of [{ size_bytes: 0 }, { download_ms: 0 }]) {
      const { model, learn } = newModel();
      expect(learn({}, ended)).toMatchObject({ isNetworkSample: false, achieved: null, fromCache: false });
      expect(model.estimate('video')).toBeUndefined();
    }
  });

  it('is no sample if it failed, or if its times are implausible', () => {
    const { model, learn } = newModel();
    expect(learn({}, { outcome: 'failed' })).toMatchObject({ isNetworkSample: false, achieved: 8000 });
    const untimed = model.learn(asked(), transfer(), NO_BOUND, false);
    expect(untimed).toMatchObject({ isNetworkSample: false, paceLimited: false });
    expect(model.estimate('video')).toBeUndefined();
    expect(learn({}, { outcome: 'abandoned' })).toMatchObject({ isNetworkSample: true });
  });

  it('is remembered for a minute', () => {
    const { model, learn, wait } = newModel();
    learn();
    wait(60_000);
    expect(model.networkThroughputs('video')).toEqual([8000]);
    expect(model.networkThroughputs('audio')).toEqual([]);
    wait(1);
    expect(model.networkThroughputs('video')).toEqual([]);
  });
});

describe('a response from a cache', () => {
  it('is reported by the browser', () => {
    const { model, learn } = newModel();
    expect(learn({}, { from_cache: true })).toMatchObject({ isNetworkSample: false, fromCache: true });
    expect(model.estimate('video')).toBeUndefined();
  });

  it('arrives in less than the minimum round-trip time', () => {
    const { learn } = newModel();
    const fromCache = (ended: Partial<Transfer>) => learn({}, ended).fromCache;
    expect(fromCache({ receipt: minRtt(100), download_ms: 99 })).toBe(true);
    expect(fromCache({ receipt: minRtt(100), download_ms: 100 })).toBe(false);
    expect(fromCache({ receipt: minRtt(100), download_ms: 99, size_bytes: 0 })).toBe(false);
  });

  it('is not inferred from the smoothed round-trip time, which may include a queue', () => {
    const { learn } = newModel();
    const receipt = { rtt_ms: milliseconds(100) };
    expect(learn({}, { receipt, download_ms: 60 })).toMatchObject({
      fromCache: false,
      isNetworkSample: true,
    });
  });

  it('is not inferred from a round-trip time of more than a second', () => {
    const { learn } = newModel();
    expect(learn({}, { receipt: minRtt(1001), download_ms: 900 }).fromCache).toBe(false);
    expect(learn({}, { receipt: minRtt(1000), download_ms: 900 }).fromCache).toBe(true);
  });

  it('is possible below 50 ms, unless browser or receipt say otherwise', () => {
    const { learn } = newModel();
    const mayBeCached = (ended: Partial<Transfer>) => learn({}, ended).mayBeCached;
    expect(mayBeCached({ download_ms: 49 })).toBe(true);
    expect(mayBeCached({ download_ms: 50 })).toBe(false);
    expect(mayBeCached({ download_ms: 49, from_cache: false })).toBe(false);
    expect(mayBeCached({ download_ms: 49, receipt: minRtt(5) })).toBe(false);
  });

  it('teaches nothing but that there is a network', () => {
    const { model, learn } = newModel();
    learn({}, { download_ms: 40 });
    expect(model.estimate('video')).toBeUndefined();
    expect(model.networkThroughputs('video')).toEqual([]);
    expect(model.isKnown('video')).toBe(true);
  });

  it('is no longer assumed after twelve in a row', () => {
    const { learn } = newModel();
    const results = Array.from({ length: 13 }, () => learn({}, { download_ms: 40 }).mayBeCached);
    expect(results).toEqual([...Array<boolean>(12).fill(true), false]);
  });

  it('says nothing about whether the edge paces', () => {
    const { model, learn } = newModel();
    for (let count = 0; count < 8; count++)
      learn({ requested_kbps: 9000 }, { download_ms: 40, receipt: { pace_kbps: null } });
    expect(model.pacingHonored).toBe('unknown');
  });
});

describe('several downloads that say little', () => {
  const fast = { size_bytes: 10_000, download_ms: 40 };

  it('raise the estimate to what they carried, at most to the bound', () => {
    const estimateAfter = (count: number, bound: Kbps) => {
      const { model, learn } = newModel();
      for (let each = 0; each < count; each++) learn({}, fast, () => bound);
      return model.estimate('video');
    };
    expect(estimateAfter(2, kbps(1500))).toBeUndefined();
    expect(estimateAfter(3, kbps(1500))).toBe(1500);
    // 80 kbit in 40 ms.
    expect(estimateAfter(3, kbps(9000))).toBe(2000);
  });

  it('raise no estimate before playback', () => {
    const { model, learn } = newModel();
    for (let each = 0; each < 3; each++) learn({ phase: 'initial' }, fast, () => kbps(1500));
    expect(model.estimate('video')).toBeUndefined();
  });

  it('include those that were mostly a round trip, without the round trip', () => {
    const { model, learn } = newModel();
    // 198 kbit in the 99 ms after the round trip: 2,000 kbit/s. Over the whole time, 995 kbit/s.
    const mostlyWaiting = { size_bytes: 24_750, download_ms: 199, receipt: minRtt(100) };
    for (let each = 0; each < 2; each++) learn({}, mostlyWaiting, () => kbps(1500));
    expect(model.estimate('video')).toBeCloseTo(995, 0);
    learn({}, mostlyWaiting, () => kbps(9000));
    expect(model.estimate('video')).toBeCloseTo(2000);
  });

  it('are forgotten after a download of at least two round trips', () => {
    const { model, learn } = newModel();
    const receipt = minRtt(100);
    const mostlyWaiting = { size_bytes: 24_750, download_ms: 199, receipt };
    for (let each = 0; each < 2; each++) learn({}, mostlyWaiting);
    learn({}, { size_bytes: 25_000, download_ms: 200, receipt });
    for (let each = 0; each < 2; each++) learn({}, mostlyWaiting);
    expect(model.estimate('video')).toBeLessThan(1001);
  });
});

describe('the pace', () => {
  /** 10 Mbit/s requested. The edge reports `applied`, and the download has `achieved`. */
  const paced = (applied: number | null | undefined, achieved: number) =>
    [
      { requested_kbps: 10_000 },
      {
        download_ms: 8_000_000 / achieved,
        receipt: applied === undefined ? {} : { pace_kbps: applied === null ? null : kbps(applied) },
      },
    ] as const;

  it('makes a throughput a lower bound, which does not replace the initial estimate', () => {
    const { model, learn } = newModel({ defaultThroughput: () => kbps(20_000) });
    expect(learn(...paced(10_000, 9500))).toMatchObject({ paceLimited: true, achieved: 9500 });
    expect(model.estimate('video')).toBeCloseTo(20_000);
    expect(model.networkThroughputs('video')).toEqual([]);
  });

  it('does not replace an estimate from samples by the initial one', () => {
    const { model, learn } = newModel({ defaultThroughput: () => kbps(20_000) });
    learn({}, { download_ms: 500 });
    learn(...paced(10_000, 9500));
    expect(model.estimate('video')).toBeCloseTo(16_000);
  });

  it('is honored or ignored after four downloads', () => {
    const honored = (applied: number | null) => {
      const { model, learn } = newModel();
      for (let each = 0; each < 4; each++) learn(...paced(applied, 9500));
      return model.pacingHonored;
    };
    expect(honored(10_000)).toBe('yes');
    expect(honored(null)).toBe('no');
  });

  it('has a ceiling where an edge paces below the request', () => {
    const { model, learn } = newModel();
    learn(...paced(6000, 5900));
    expect(model.ceilingFor('video')).toBe(6000);
    expect(model.ceilingFor('audio')).toBe(Infinity);
    // A request without a pace says nothing about the ceiling.
    learn({}, { receipt: { pace_kbps: kbps(7000) } });
    expect(model.ceilingFor('video')).toBe(6000);
    learn(...paced(10_000, 9900));
    expect(model.ceilingFor('video')).toBe(Infinity);
  });

  it('has no ceiling in an edge that does not pace', () => {
    const { model, learn } = newModel();
    learn(...paced(6000, 5900));
    learn(...paced(null, 5900));
    expect(model.ceilingFor('video')).toBe(Infinity);
  });

  it('has no ceiling that a download exceeds more than twice', () => {
    const { model, learn } = newModel();
    learn(...paced(6000, 12_100));
    expect(model.ceilingFor('video')).toBe(Infinity);
    learn(...paced(6000, 12_000));
    expect(model.ceilingFor('video')).toBe(6000);
  });

  it('is assumed as requested without a receipt', () => {
    const { learn } = newModel();
    expect(learn(...paced(undefined, 9500)).paceLimited).toBe(true);
    expect(learn(...paced(undefined, 5000)).paceLimited).toBe(false);
  });

  it('counts after the round trip that the first byte takes', () => {
    const { learn } = newModel();
    // At 10 Mbit/s 1 MB takes 0.8 s. 0.8 of 1.2 s is more than that, but less than 0.8 s and a round trip of 0.2 s.
    const limited = (receipt: Receipt) =>
      learn(
        { requested_kbps: 10_000 },
        { download_ms: 1200, receipt: { pace_kbps: kbps(10_000), ...receipt } },
      ).paceLimited;
    expect(limited({})).toBe(false);
    expect(limited(minRtt(200))).toBe(true);
    expect(limited({ rtt_ms: milliseconds(200) })).toBe(true);
  });
});

describe('low-latency live', () => {
  // 4,000 kbit for a segment of 2 s: the encoder has 2,000 kbit/s.
  const encoded = { size_bytes: 500_000, download_ms: 2000 };

  it('is limited by the encoder', () => {
    const { model, learn } = newModel();
    expect(learn({ low_latency: true }, encoded).paceLimited).toBe(true);
    expect(model.estimate('video')).toBeCloseTo(DEFAULT);
    expect(newModel().learn({}, encoded).paceLimited).toBe(false);
  });

  it('has the throughput of the time in which bytes arrived', () => {
    const { model, learn } = newModel();
    expect(learn({ low_latency: true }, { ...encoded, receiving_ms: 500 }).paceLimited).toBe(true);
    expect(model.networkThroughputs('video')).toEqual([8000]);
  });
});

describe('the history', () => {
  const stored = (...downloads: [Partial<LearningRequest>, Partial<Transfer>][]) => {
    const history = newHistory();
    const { model, learn } = newModel({ history });
    for (const [request, ended] of downloads) learn(request, ended);
    model.storeInitialThroughput();
    return history.estimate(TODAY, 'here')?.throughput;
  };
  const initial = { phase: 'initial' } as const;

  it('stores the mean over the download time of the initial phase', () => {
    expect(stored([initial, {}])).toBe(8000);
    // 2 MB in 4 s.
    expect(stored([initial, {}], [initial, { download_ms: 3000 }])).toBe(4000);
  });

  it('stores no other phase, and no throughput that a pace limited', () => {
    expect(stored([{}, {}])).toBeUndefined();
    expect(stored([{ ...initial, requested_kbps: 8000 }, {}])).toBeUndefined();
    expect(stored()).toBeUndefined();
  });

  it('prefers video', () => {
    const audio = { ...initial, media_type: 'audio' } as const;
    expect(stored([audio, { download_ms: 2000 }], [initial, {}])).toBe(8000);
    expect(stored([audio, { download_ms: 2000 }])).toBe(4000);
  });

  it('is optional', () => {
    const { model, learn } = newModel();
    learn(initial);
    expect(() => model.storeInitialThroughput()).not.toThrow();
  });
});

describe('after another origin', () => {
  it("starts from that origin's samples, until there are own ones", () => {
    const history = newHistory({ throughput: 1000, age_ms: 0 });
    const first = newModel({ history });
    first.learn();
    const second = newModel({ history }, first.model);
    expect(second.model.estimate('video')).toBeCloseTo(8000);
    expect(second.model.sampledEstimate('video')).toBeCloseTo(8000);
    expect(second.model.isKnown('video')).toBe(true);
    second.learn({}, { download_ms: 2000 });
    expect(second.model.estimate('video')).toBeCloseTo(4000);
    expect(first.model.estimate('video')).toBeCloseTo(8000);
  });

  it('starts from the history if that origin has no samples', () => {
    const history = newHistory({ throughput: 1000, age_ms: 0 });
    const second = newModel({ history }, newModel({ history }).model);
    expect(second.model.estimate('video')).toBeCloseTo(1000);
    expect(second.model.sampledEstimate('video')).toBeUndefined();
  });

  it('shares the throughput of the initial phase', () => {
    const history = newHistory();
    const first = newModel({ history });
    first.learn({ phase: 'initial' });
    newModel({ history }, first.model).model.storeInitialThroughput();
    expect(history.estimate(TODAY, 'here')?.throughput).toBe(8000);
  });
});
