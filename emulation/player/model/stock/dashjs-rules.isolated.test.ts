// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seededRandom, type Random } from '../../../ground/statistics/random.ts';
import { createLadder } from '../../../../src/testing/session.ts';
import { DashjsRules } from '../testing/dashjs-rules.ts';
import { StockRules } from './stock-rules.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const between = (random: Random, least: number, most: number) => least + (most - least) * random();
const [SESSIONS, SEGMENTS] = [100, 60];
/** Rounds to milliseconds, as dash.js does with the buffer level. Dates have whole milliseconds, too. */
const toMs = (time_s: number) => Math.max(0, Math.round(time_s * 1000)) / 1000;

interface Both {
  readonly ours: StockRules;
  readonly theirs: DashjsRules;
}

/**
 * A session that drives both implementations, with a varying network, abandonments, replacements, pauses, stalls and
 * seeks.
 */
class Session {
  readonly #random: Random;
  readonly #both: Both;
  readonly #bitrates: readonly number[];
  readonly #bufferTarget_s: number;
  readonly #duration_s: number;
  #level_kbps: number;
  #kbps = 0;
  #now_ms = Date.now();
  #buffer_s = 0;
  #start_s = 0;
  #rung: number;
  readonly seen = { choices: 0, switches: 0, delays: 0, abandonments: 0, seeks: 0, empty: 0 };

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.#random = random;
    const rungs = 1 + Math.floor(random() * 7);
    let bitrate = Math.round(between(random, 150, 500));
    this.#bitrates = Array.from({ length: rungs }, () => {
      const own = bitrate;
      bitrate = Math.round(bitrate * between(random, 1.3, 2.5));
      return own;
    });
    this.#bufferTarget_s = random() < 0.5 ? 18 : toMs(between(random, 6, 40));
    this.#duration_s = random() < 0.5 ? 2 : toMs(between(random, 1, 6));
    this.#level_kbps = between(random, 0.1, 1.5) * this.#top_kbps;
    const options = {
      ladder: createLadder(this.#bitrates),
      bufferTarget_s: this.#bufferTarget_s,
      bola: random() < 0.9,
      remembered_kbps: undefined,
    };
    this.#both = { ours: new StockRules(options), theirs: new DashjsRules(options) };
    this.#rung = this.#agree(({ first }) => first);
  }

  get #top_kbps(): number {
    return this.#bitrates.at(-1) ?? 0;
  }

  play(segments: number): void {
    for (let index = 0; index < segments; index++) {
      const what = this.#random();
      if (what < 0.03) this.#seek();
      else if (what < 0.06) this.#pass(between(this.#random, 0, 20));
      // A pause without a download, during which the buffer level is constant.
      else if (what < 0.08) this.#now_ms += Math.round(between(this.#random, 0, 20_000));
      if (this.#random() < 0.1) this.#level_kbps = between(this.#random, 0.1, 1.5) * this.#top_kbps;
      this.#kbps = this.#level_kbps * between(this.#random, 0.4, 1.6);
      this.#segment();
    }
  }

  close(): void {
    this.#both.theirs.close();
  }

  /** Calls `of` with both implementations, and requires equal results. */
  #agree<T>(of: (rules: StockRules | DashjsRules) => T): T {
    const theirs = of(this.#both.theirs);
    const ours = of(this.#both.ours);
    // Compared as strings first, because `expect` is slow, and there are tens of thousands of comparisons.
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      expect(ours, `after ${JSON.stringify(this.seen)}`).toEqual(theirs);
    return theirs;
  }

  #pass(time_s: number): void {
    this.#now_ms += Math.round(time_s * 1000);
    this.#buffer_s = toMs(this.#buffer_s - Math.round(time_s * 1000) / 1000);
    if (this.#buffer_s <= 0.3) this.seen.empty += 1;
  }

  #seek(): void {
    this.seen.seeks += 1;
    this.#agree((rules) => {
      rules.recordSeek();
    });
    if (this.#random() < 0.3) this.#buffer_s = toMs(this.#buffer_s * this.#random());
    else {
      this.#buffer_s = 0;
      this.#start_s = toMs(between(this.#random, 0, 1000));
    }
  }

  #segment(): void {
    // The player requests nothing beyond its buffer limit.
    if (this.#buffer_s > this.#bufferTarget_s + 12) this.#pass(this.#duration_s);
    const before = this.#rung;
    const { rung, delay_ms } = this.#agree((rules) => {
      const choice = rules.choose(this.#rung, this.#now_ms, this.#buffer_s, this.#duration_s);
      return { rung: choice.rung, delay_ms: Number(choice.delay_ms.toFixed(6)) };
    });
    this.seen.choices += 1;
    this.#rung = rung;
    if (rung !== before) this.seen.switches += 1;
    if (delay_ms > 0) this.seen.delays += 1;
    this.#pass(delay_ms / 1000);
    // A fast switch restarts at the segment that plays.
    const replaces = rung > before && this.#random() < 0.5;
    if (replaces) this.#start_s = toMs(this.#start_s - this.#buffer_s);
    const requested_ms = this.#now_ms;
    this.#pass(between(this.#random, 0.02, 0.2));
    let total = this.#bytes();
    if (this.#random() < 0.4 && this.#abandons(requested_ms, total)) total = this.#bytes();
    const receiving_ms = Math.max(1, Math.round((8 * total) / this.#kbps));
    this.#pass(receiving_ms / 1000);
    this.#arrive(requested_ms, total, receiving_ms, replaces);
  }

  #bytes(): number {
    const bitrate = this.#bitrates[this.#rung] ?? 0;
    return Math.round(bitrate * 125 * this.#duration_s * between(this.#random, 0.5, 1.6));
  }

  /** Reports several progress events. Returns whether the rules abandoned the download. */
  #abandons(requested_ms: number, total: number): boolean {
    const first = Math.min(1500, total);
    const kbps = this.#kbps * between(this.#random, 0.02, 0.5);
    let elapsed_ms = 0;
    while (elapsed_ms < 4000) {
      const step_ms = Math.round(between(this.#random, 50, 400));
      elapsed_ms += step_ms;
      const bytes = Math.round((kbps * elapsed_ms) / 8);
      if (first + bytes >= total) return false;
      this.#pass(step_ms / 1000);
      const progress = { elapsed_ms, bytes, loaded: first + bytes, total, duration_s: this.#duration_s };
      const lower = this.#agree((rules) => rules.abandon(this.#rung, this.#now_ms, this.#buffer_s, progress));
      if (lower === undefined) continue;
      this.#agree((rules) => {
        rules.recordAbort(requested_ms, this.#now_ms, progress);
      });
      this.seen.abandonments += 1;
      this.#rung = lower;
      return true;
    }
    return false;
  }

  #arrive(requested_ms: number, bytes: number, receiving_ms: number, replaces: boolean): void {
    const segment = {
      rung: this.#rung,
      start_s: this.#start_s,
      duration_s: this.#duration_s,
      requested_ms,
      finished_ms: this.#now_ms,
    };
    this.#agree((rules) => {
      rules.recordDownload(segment, bytes, receiving_ms, this.#buffer_s);
    });
    if (!replaces) this.#buffer_s = toMs(this.#buffer_s + this.#duration_s);
    this.#start_s = toMs(this.#start_s + this.#duration_s);
    this.#agree((rules) => {
      rules.recordBuffer(this.#buffer_s);
    });
    this.#pass(0.01);
  }
}

it("chooses, waits and abandons like dash.js's own classes, over whole sessions", () => {
  const total = { choices: 0, switches: 0, delays: 0, abandonments: 0, seeks: 0, empty: 0 };
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const session = new Session(seed);
    session.play(SEGMENTS);
    session.close();
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += session.seen[key];
  }
  // The sessions contain every event that the rules handle.
  expect(total.choices).toBe(SESSIONS * SEGMENTS);
  for (const count of Object.values(total)) expect(count).toBeGreaterThan(100);
});
