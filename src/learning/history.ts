import { attempt } from '../attempt.ts';
import { isRecord } from '../records.ts';
import { median } from '../median.ts';
import { kbps, type Kbps, type Milliseconds } from '../units.ts';
import type { TextStorage } from './text-storage.ts';

const VERSION = 2;
/** The maximum number of sessions per place. */
const SESSIONS_KEPT = 10;
/** The maximum number of sessions of all places. */
const ENTRIES_KEPT = 60;
/** The maximum number of refusals. */
const REFUSALS_KEPT = 20;
/** Measurements that are older than this, ms, are ignored, because the network may have changed. */
const KEPT_FOR_MS = 14 * 24 * 3600 * 1000;
/** A measurement is fully trusted for `TRUSTED_FOR_MS`. After that, trust halves every day. */
const TRUSTED_FOR_MS = 3600 * 1000;
const TRUST_HALF_LIFE_MS = 24 * 3600 * 1000;
/**
 * After a first refusal, `rtp` is tested again after an hour, because the refusal may have been a glitch. After two
 * refusals within a day, it is tested again after a day, because the origin may have been reconfigured.
 */
const DOUBTED_FOR_MS = 3600 * 1000;
const REFUSED_FOR_MS = 24 * 3600 * 1000;
/** A stored throughput above 100 Gbit/s is invalid. */
const MAX_KBPS = 100_000_000;

/** The stored document, which other code may have written. */
interface Document {
  readonly entries?: unknown;
  /** For each origin that refused requests with `rtp`, the time until which requests have no `rtp`, ms since 1970. */
  readonly refusals?: Readonly<Record<string, unknown>> | null;
}

interface Entry {
  readonly place: string;
  readonly throughput_kbps: number;
  readonly at_ms: number;
}

/** The throughput that earlier sessions measured at a place, and its reliability. */
export interface StoredThroughput {
  readonly throughput: Kbps;
  /** Trust in the estimate: 1 within an hour of the last session, halved for each day after that. */
  readonly trust: number;
}

/**
 * The throughput that earlier sessions measured in their initial phase. The throughput of a playing phase is not
 * stored, because it reflects the pace and would lower the next session's first rungs (Sammy §4.1).
 *
 * Each entry belongs to a place: a network and a server, as far as the player can distinguish them. For example,
 * throughput measured at home is no estimate for a train. Corrupt, foreign or outdated content counts as an empty
 * history. Errors of the storage (private mode, quota) are ignored.
 */
export class InitialThroughputHistory {
  readonly #storage: TextStorage;

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /**
   * Returns the median over the sessions at `place`: over those of the last hour, or over all if there are none.
   * Undefined without any session.
   */
  estimate(now: Milliseconds, place: string): StoredThroughput | undefined {
    const here = entriesAt(this.#storage, now, place);
    const trusted = here.filter(({ at_ms }) => now - at_ms <= TRUSTED_FOR_MS);
    const middle = median((trusted.length > 0 ? trusted : here).map((entry) => entry.throughput_kbps));
    if (middle === undefined) return undefined;
    const age_ms = now - Math.max(...here.map(({ at_ms }) => at_ms));
    const trust = 2 ** (-Math.max(0, age_ms - TRUSTED_FOR_MS) / TRUST_HALF_LIFE_MS);
    return { throughput: kbps(middle), trust };
  }

  /** Stores one session's initial-phase throughput. */
  add(throughput: Kbps, now: Milliseconds, place: string): void {
    if (!isThroughput(throughput)) return;
    const elsewhere = readEntries(this.#storage, now).filter((entry) => entry.place !== place);
    const entries = [
      ...elsewhere,
      ...entriesAt(this.#storage, now, place).slice(1 - SESSIONS_KEPT),
      { place, throughput_kbps: Math.round(throughput), at_ms: now },
    ].slice(-ENTRIES_KEPT);
    this.#write({ entries });
  }

  /** Whether `origin` recently refused a request because of its `rtp`. */
  refuses(origin: string, now: Milliseconds): boolean {
    const until = readDocument(this.#storage).refusals?.[origin];
    // `isRecent` returns false for a value that is not a number.
    return isRecent(now, until as Milliseconds, REFUSED_FOR_MS);
  }

  /** Stores that `origin` has refused a request because of its `rtp`. */
  addRefusal(origin: string, now: Milliseconds): void {
    const { [origin]: before, ...others } = readDocument(this.#storage).refusals ?? {};
    const until = now + (isRecent(before, now, REFUSED_FOR_MS) ? REFUSED_FOR_MS : DOUBTED_FOR_MS);
    const kept = Object.entries(others).slice(1 - REFUSALS_KEPT);
    this.#write({ refusals: Object.fromEntries([...kept, [origin, until]]) });
  }

  #write(change: Document): void {
    const text = JSON.stringify({ ...readDocument(this.#storage), version: VERSION, ...change });
    attempt(() => this.#storage.write(text));
  }

  /** Deletes everything. An experiment calls this in all its arms before it starts (Sammy §5.7). */
  reset(): void {
    attempt(() => this.#storage.remove());
  }
}

/** The throughput of each session at `place`, the latest last. */
export const sessionsAt = (storage: TextStorage, now: Milliseconds, place: string): readonly Kbps[] =>
  entriesAt(storage, now, place).map(({ throughput_kbps }) => kbps(throughput_kbps));

const entriesAt = (storage: TextStorage, now: Milliseconds, place: string): Entry[] =>
  readEntries(storage, now).filter((entry) => entry.place === place);

function readEntries(storage: TextStorage, now: Milliseconds): Entry[] {
  const { entries } = readDocument(storage);
  if (!Array.isArray(entries)) return [];
  return entries.filter(isEntry).filter(({ at_ms }) => isRecent(at_ms, now, KEPT_FOR_MS));
}

function readDocument(storage: TextStorage): Document {
  const document = attempt((): unknown => JSON.parse(storage.read() ?? 'null'));
  return isRecord(document) && document.version === VERSION ? document : {};
}

const isRecent = (at_ms: unknown, now: Milliseconds, kept_ms: number): boolean =>
  typeof at_ms === 'number' && at_ms <= now && now - at_ms <= kept_ms;

const isThroughput = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_KBPS;
const isEntry = (value: unknown): value is Entry =>
  isRecord(value) &&
  typeof value.place === 'string' &&
  isThroughput(value.throughput_kbps) &&
  typeof value.at_ms === 'number';
