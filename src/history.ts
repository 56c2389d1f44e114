import { isRecord } from './is-record.ts';
import { median } from './median.ts';
import { kbps, type Kbps, type Milliseconds } from './units.ts';

/** Where the memory is kept: one text. The player's adapter gives localStorage, tests give a variable. */
export interface TextStorage {
  read(): string | null;
  write(text: string): void;
  remove(): void;
}

const VERSION = 1;
const SESSIONS_KEPT = 10;
/** A network of two weeks ago says little about today's. */
const KEPT_FOR_MS = 14 * 24 * 3600 * 1000;
/** Above 100 Gbit/s it is not a measurement. */
const MAX_KBPS = 100_000_000;

interface Entry {
  readonly throughput_kbps: number;
  readonly at_ms: number;
}

/**
 * What earlier sessions measured in their initial phase, and only there: throughput of a playing phase is
 * set by the pace, so remembering it would lower the next session's first rungs (Sammy §4.1).
 *
 * Corrupt, foreign or outdated content counts as no memory. A storage that throws (private mode, quota)
 * is lived without.
 */
export class InitialThroughputHistory {
  readonly #storage: TextStorage;

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** The median over the remembered sessions, or undefined without any. */
  estimate(now: Milliseconds): Kbps | undefined {
    const middle = median(this.#entries(now).map(({ throughput_kbps }) => throughput_kbps));
    return middle === undefined ? undefined : kbps(middle);
  }

  /** Remembers one session's initial-phase throughput. */
  add(throughput: Kbps, now: Milliseconds): void {
    if (!isThroughput(throughput)) return;
    const entries = [...this.#entries(now), { throughput_kbps: Math.round(throughput), at_ms: now }];
    const text = JSON.stringify({ version: VERSION, entries: entries.slice(-SESSIONS_KEPT) });
    this.#try(() => this.#storage.write(text));
  }

  /** Forgets everything, as an experiment does in all its arms before it starts (Sammy §5.7). */
  reset(): void {
    this.#try(() => this.#storage.remove());
  }

  #entries(now: Milliseconds): Entry[] {
    const document = this.#try((): unknown => JSON.parse(this.#storage.read() ?? 'null'));
    if (!isRecord(document) || document.version !== VERSION || !Array.isArray(document.entries)) return [];
    return document.entries.filter(isEntry).filter(({ at_ms }) => at_ms <= now && now - at_ms <= KEPT_FOR_MS);
  }

  #try<T>(use: () => T): T | undefined {
    try {
      return use();
    } catch {
      return undefined;
    }
  }
}

const isThroughput = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_KBPS;
const isEntry = (value: unknown): value is Entry =>
  isRecord(value) && isThroughput(value.throughput_kbps) && typeof value.at_ms === 'number';
