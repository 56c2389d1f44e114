import type { ResponseEvent } from '../response-event.ts';

/** The log levels, the most severe first. Each level includes the more severe levels. */
export const LOG_LEVELS = ['error', 'warn', 'info'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A format of the log: writes each record as one line. */
export interface Lines {
  line(level: LogLevel, text: string): void;
  response(level: LogLevel, event: ResponseEvent): void;
}
