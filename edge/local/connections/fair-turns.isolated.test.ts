import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { kbps, type Kbps } from '../../../src/units.ts';
import { FairTurns } from './fair-turns.ts';
import type { Turns } from '../sending/send-body.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** Simulates a socket that accepts a kilobyte from each body in turn, like HTTP/2's scheduler. */
class Socket {
  readonly #bodies: {
    turns: Turns & { leave(): void };
    pending: number[];
    sizes: number[];
    taken: number;
    shut: boolean;
  }[] = [];
  readonly fair = new FairTurns();

  add(pace: Kbps | null) {
    const body = {
      turns: this.fair.join(() => pace),
      pending: [] as number[],
      sizes: [] as number[],
      taken: 0,
      shut: false,
    };
    this.#bodies.push(body);
    void (async () => {
      for (;;) {
        const most = await body.turns.next();
        body.turns.wrote(most);
        body.pending.push(most);
        body.sizes.push(most);
      }
    })();
    return body;
  }

  async take(kilobytes: number): Promise<void> {
    for (let n = 0; n < kilobytes;) {
      let idle = true;
      for (const body of this.#bodies) {
        const [piece] = body.pending;
        if (piece === undefined || body.shut) continue;
        idle = false;
        n += 1;
        body.taken += Math.min(1000, piece);
        body.pending[0] = piece - 1000;
        if (piece > 1000) continue;
        body.pending.shift();
        body.turns.took(body.sizes.shift() ?? 0);
      }
      await vi.advanceTimersByTimeAsync(idle ? 50 : 1);
    }
  }
}

it('holds 4 kB for each body of which the socket accepts nothing', async () => {
  const socket = new Socket();
  const bodies = [null, kbps(100_000), null, kbps(2000)].map((pace) => socket.add(pace));
  await vi.advanceTimersByTimeAsync(5000);
  expect(bodies.map(({ sizes }) => sizes)).toEqual(bodies.map(() => [4096]));
});

describe('bodies written as fast as allowed', () => {
  it.each([
    [2000, 18_000],
    [500, 500],
    [100, 40_000],
  ])('of %i and %i kbit/s share the socket in proportion', async (slow, fast) => {
    const socket = new Socket();
    const [one, other] = [socket.add(kbps(slow)), socket.add(kbps(fast))];
    await socket.take(20_000);
    const share = one.taken / (one.taken + other.taken);
    expect(share / (slow / (slow + fast))).toBeGreaterThan(0.9);
    expect(share / (slow / (slow + fast))).toBeLessThan(1.1);
  });

  it('unpaced ones get half of the socket', async () => {
    const socket = new Socket();
    const [one, other, unpaced] = [socket.add(kbps(1000)), socket.add(kbps(3000)), socket.add(null)];
    await socket.take(20_000);
    const all = one.taken + other.taken + unpaced.taken;
    expect(unpaced.taken / all).toBeCloseTo(0.5, 1);
    expect(one.taken / all).toBeCloseTo(0.125, 1);
  });

  it('do not wait for a blocked body, which gets no compensation later', async () => {
    const socket = new Socket();
    const shut = socket.add(kbps(9000));
    shut.shut = true;
    const open = socket.add(kbps(1000));
    await socket.take(2000);
    expect(open.taken).toBeGreaterThan(1_800_000);
    expect(shut.sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(256_000);
    shut.shut = false;
    const before = open.taken;
    await socket.take(10_000);
    expect((open.taken - before) / 10_000_000).toBeCloseTo(0.1, 1);
    expect(open.taken - before).toBeGreaterThan(700_000);
  });

  it('have the socket to themselves when the others have left', async () => {
    const socket = new Socket();
    const [one, other] = [socket.add(kbps(1000)), socket.add(kbps(9000))];
    await socket.take(1000);
    other.shut = true;
    other.turns.leave();
    const before = one.taken;
    await socket.take(1000);
    expect(one.taken - before).toBeGreaterThan(900_000);
  });
});
