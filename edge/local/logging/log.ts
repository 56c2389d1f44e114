import { printable } from '../../../system/printable.ts';
import { milliseconds, type Milliseconds } from '../../../src/units.ts';
import type { ResponseEvent } from '../response-event.ts';
import { jsonLines } from './json-lines.ts';
import { LineLimit } from './line-limit.ts';
import { LOG_LEVELS, type Lines, type LogLevel } from './lines.ts';
import { openStream } from './stream.ts';
import { textLines } from './text-lines.ts';

export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LogSettings {
  readonly format: LogFormat;
  readonly level: LogLevel;
}

/** The edge's log. No call blocks or throws, so a slow or closed reader does not stop the edge. */
export interface Log {
  level: LogLevel;
  /** Logs one line per response: a warning for a server error, information for any other status. */
  response(event: ResponseEvent): void;
  info(line: string): void;
  /** Logs a problem that clients or the origin may cause at any rate. The number of such lines is limited. */
  warn(line: string): void;
  error(line: string): void;
  /** The number of lines that were suppressed by the limit, and that were dropped because the reader was too slow. */
  readonly unwritten: { readonly limited: number; readonly dropped: number };
}

export interface LogOptions extends LogSettings {
  /** The number of processes that write to the same log. */
  readonly writers?: number;
  readonly now?: () => Milliseconds;
  /** The output of the lines; stdout and stderr by default. */
  readonly lines?: Lines;
}

/**
 * The limits of warnings and of failed responses per second, for all processes together. During an outage of the
 * origin, every request causes both kinds of lines. Together, the limits allow at most nine lines in any second.
 */
const LIMITS = { warnings: { burst: 2, perSecond: 2 }, failures: { burst: 3, perSecond: 2 } };

/** The interval at which the number of suppressed lines is logged. */
const TELL_HELD_MS = 10_000;

/** Opens the log of this process. */
export function openLog(options: LogOptions): Log {
  const { writers = 1, now = () => milliseconds(performance.now()) } = options;
  const dropped = { lines: 0 };
  const lines = options.lines ?? openLines(options.format, () => (dropped.lines += 1));
  const createLimit = ({ burst, perSecond }: typeof LIMITS.warnings) =>
    new LineLimit({ burst: Math.max(1, Math.floor(burst / writers)), perSecond: perSecond / writers, now });
  return new LimitedLog(options.level, lines, dropped, {
    warnings: createLimit(LIMITS.warnings),
    failures: createLimit(LIMITS.failures),
  });
}

const openLines = (format: LogFormat, onDrop: () => void): Lines =>
  format === 'json'
    ? jsonLines(openStream(1, onDrop))
    : textLines({ responses: openStream(1, onDrop), problems: openStream(2, onDrop) });

class LimitedLog implements Log {
  #limited = 0;
  #isToTell = false;

  constructor(
    public level: LogLevel,
    readonly lines: Lines,
    readonly dropped: { readonly lines: number },
    readonly limits: Readonly<Record<'warnings' | 'failures', LineLimit>>,
  ) {}

  get unwritten() {
    return { limited: this.#limited, dropped: this.dropped.lines };
  }

  response(event: ResponseEvent): void {
    const isFailure = event.status >= 500 || event.cut_by === 'origin';
    const level = isFailure ? 'warn' : 'info';
    if (!this.#writes(level) || (isFailure && !this.#admits('failures'))) return;
    this.lines.response(level, { ...event, url: printable(event.url), method: printable(event.method) });
  }

  info(line: string): void {
    if (this.#writes('info')) this.lines.line('info', printable(line));
  }

  warn(line: string): void {
    if (this.#writes('warn') && this.#admits('warnings')) this.lines.line('warn', printable(line));
  }

  error(line: string): void {
    this.lines.line('error', printable(line));
  }

  #writes(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(this.level);
  }

  #admits(kind: keyof typeof this.limits): boolean {
    if (this.limits[kind].admits()) return true;
    this.#limited += 1;
    if (!this.#isToTell) setTimeout(() => this.#tellHeld(), TELL_HELD_MS).unref();
    this.#isToTell = true;
    return false;
  }

  #tellHeld(): void {
    this.#isToTell = false;
    const { warnings, failures } = this.limits;
    const held = `${warnings.takeHeld()} warnings and ${failures.takeHeld()} failed responses`;
    this.lines.line('warn', `${held} were not logged in the last ${TELL_HELD_MS / 1000} s`);
  }
}
