import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { bytes, type Bytes } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import type { Stored } from '../../sessions/sessions-route.ts';
import { FairShare } from './fair-share.ts';

/**
 * The number of hours that are stored. Each hour has an equal part of the limit, so a flood affects only its own hour.
 */
export const KEPT_HOURS = 48;

const NAME = /^sessions-\d{4}-\d\d-\d\dT\d\d-[\w-]+\.ndjson$/;

const LINE_END = '\n';

const HOUR_MS = 3_600_000;

export interface SessionStoreOptions {
  /** The directory; created if missing. */
  readonly directory: string;
  /** The maximum number of bytes of all files together. */
  readonly limit: Bytes;
  /** A name that identifies this process among the processes that write into the directory. */
  readonly writer: string;
  /** The number of these processes. */
  readonly writers: number;
  readonly now: () => number;
  readonly onProblem: (line: string) => void;
}

interface HourFile {
  readonly hour: string;
  readonly descriptor: number;
}

/**
 * Stores rows as lines of JSON, in one file per hour (UTC) and process. Disk usage is bounded: a full hour accepts no
 * more rows, and the oldest files are removed when a new hour begins. No address can fill an hour. A session has
 * several rows; the last one is its result.
 */
export class SessionStore {
  #file: HourFile | null = null;
  /** The latest hour, in hours since 1970. */
  #latest = -Infinity;
  /** The usage per address in the latest hour. */
  readonly #share = new FairShare();
  /** The problems reported in the latest hour. Each is reported only once per hour. */
  readonly #reported = new Set<string>();

  constructor(readonly options: SessionStoreOptions) {
    mkdirSync(options.directory, { recursive: true });
  }

  /** The maximum size of one file. */
  get quota(): Bytes {
    const { limit, writers } = this.options;
    return bytes(Math.floor(limit / KEPT_HOURS / writers));
  }

  /** Stores a row. A row is refused if its `address`, if given, has used its share of the hour. */
  append(line: string, address?: string): Stored {
    const now = this.options.now();
    const hour = new Date(now).toISOString().slice(0, 13);
    this.#enter(Math.floor(now / HOUR_MS));
    try {
      const { descriptor, size } = this.#opened(hour);
      const text = Buffer.from(`${endsInLine(descriptor, size) ? '' : LINE_END}${line}${LINE_END}`);
      if (size + text.length > this.quota) {
        this.#report('full', `the sessions of ${hour} have reached ${this.quota} bytes; no more are stored`);
        return 'full';
      }
      const free = bytes(this.quota - size);
      if (address !== undefined && !this.#share.allows(address, text.length, free)) {
        this.#report(
          'over-share',
          `an address has used its share of the sessions of ${hour}; its further sessions are not stored (behind a proxy, raise --max-connections-per-address to --max-connections)`,
        );
        return 'over-share';
      }
      const written = writeSync(descriptor, text);
      if (written < text.length) throw new Error(`only ${written} of ${text.length} bytes were written`);
      if (address !== undefined) this.#share.took(address, text.length);
      return 'stored';
    } catch (error) {
      this.#report('failed', `a session cannot be stored: ${errorLine(error)}`);
      return 'failed';
    }
  }

  close(): void {
    const file = this.#file;
    // Forget the file before closing it: the descriptor is released even if closing fails, and may soon belong to a
    // client's connection.
    this.#file = null;
    if (file) closeSync(file.descriptor);
  }

  /**
   * Opens the file of an hour, and reads its size on disk, because another process may write to the file, or somebody
   * may have removed the file.
   */
  #opened(hour: string): { readonly descriptor: number; readonly size: number } {
    if (this.#file?.hour === hour) {
      const { size, nlink } = fstatSync(this.#file.descriptor);
      if (nlink > 0) return { descriptor: this.#file.descriptor, size };
    }
    const descriptor = this.#open(hour);
    return { descriptor, size: fstatSync(descriptor).size };
  }

  #open(hour: string): number {
    this.close();
    const { directory, writer } = this.options;
    // Create the directory again, because somebody may have removed the directory.
    mkdirSync(directory, { recursive: true });
    const name = `sessions-${hour}-${writer}.ndjson`;
    this.#makeRoom(name);
    const descriptor = openSync(join(directory, name), 'a+');
    this.#file = { hour, descriptor };
    return descriptor;
  }

  /** Removes the oldest files of all writers until there is room for the new file's quota. */
  #makeRoom(name: string): void {
    const { directory, limit, writers } = this.options;
    const paths = readdirSync(directory)
      .filter((each) => NAME.test(each) && each !== name)
      .sort()
      .map((each) => join(directory, each));
    // Another process may have removed a file in the meantime, to make room for its own rows.
    const fileSize = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    let taken = paths.reduce((sum, path) => sum + fileSize(path), 0);
    for (const path of paths) {
      if (taken + this.quota * writers <= limit) return;
      taken -= fileSize(path);
      rmSync(path, { force: true });
    }
  }

  /** Starts a new hour. The hour before the latest is not new: a clock that was set back a little returns to that hour. */
  #enter(hour: number): void {
    if (hour === this.#latest || hour === this.#latest - 1) return;
    this.#latest = hour;
    this.#share.restart();
    this.#reported.clear();
  }

  #report(problem: Stored, line: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.options.onProblem(line);
  }
}

/** Whether a file ends with a complete line. A killed process or a full disk may leave a partial line. */
function endsInLine(descriptor: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() === LINE_END;
}
