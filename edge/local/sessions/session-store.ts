import { closeSync, mkdirSync, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { bytes, type Bytes } from '../../../src/units.ts';
import { lineOf } from '../../../system/line-of.ts';
import type { Stored } from '../../sessions/sessions-route.ts';

/** The number of hours that are kept; each may fill an equal part of the limit, so a flood costs its own hour only. */
export const KEPT_HOURS = 48;

const NAME = /^sessions-\d{4}-\d\d-\d\dT\d\d-[\w-]+\.ndjson$/;

export interface SessionStoreOptions {
  /** Created if it is not there. */
  readonly directory: string;
  /** The most bytes of all files together. */
  readonly limit: Bytes;
  /** Names this process among those that write into the directory at the same time, and their number. */
  readonly writer: string;
  readonly writers: number;
  readonly now: () => number;
  readonly onProblem: (line: string) => void;
}

interface HourFile {
  readonly hour: string;
  readonly descriptor: number;
  size: number;
}

/**
 * Stores rows as lines of JSON, in a file for each hour (UTC). The disk that it takes is bounded: an hour that is full takes
 * no more, and when a new file begins, the oldest go. A session has several rows, of which the last counts.
 */
export class SessionStore {
  #file: HourFile | null = null;
  /** The hour of which a problem was reported, so that a flood reports it once. */
  #reported = '';

  constructor(readonly options: SessionStoreOptions) {
    mkdirSync(options.directory, { recursive: true });
  }

  /** The most bytes of one file. */
  get quota(): Bytes {
    const { limit, writers } = this.options;
    return bytes(Math.floor(limit / KEPT_HOURS / writers));
  }

  append(line: string): Stored {
    const hour = new Date(this.options.now()).toISOString().slice(0, 13);
    const text = Buffer.from(`${line}\n`);
    try {
      const file = this.#file?.hour === hour ? this.#file : this.#open(hour);
      if (file.size + text.length > this.quota) {
        this.#report(hour, `the sessions of ${hour} have reached ${this.quota} bytes; no more are stored`);
        return 'full';
      }
      file.size += writeSync(file.descriptor, text);
      return 'stored';
    } catch (error) {
      this.#report(hour, `a session cannot be stored: ${lineOf(error)}`);
      return 'failed';
    }
  }

  close(): void {
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = null;
  }

  #open(hour: string): HourFile {
    this.close();
    const { directory, writer } = this.options;
    const name = `sessions-${hour}-${writer}.ndjson`;
    this.#makeRoom(name);
    const path = join(directory, name);
    const descriptor = openSync(path, 'a');
    this.#file = { hour, descriptor, size: statSync(path).size };
    return this.#file;
  }

  /** Removes the oldest files until the new one may grow to its quota, whoever wrote them. */
  #makeRoom(name: string): void {
    const { directory, limit, writers } = this.options;
    const paths = readdirSync(directory)
      .filter((each) => NAME.test(each) && each !== name)
      .sort()
      .map((each) => join(directory, each));
    let taken = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    for (const path of paths) {
      if (taken + this.quota * writers <= limit) return;
      taken -= statSync(path).size;
      unlinkSync(path);
    }
  }

  #report(hour: string, line: string): void {
    if (this.#reported === hour) return;
    this.#reported = hour;
    this.options.onProblem(line);
  }
}
