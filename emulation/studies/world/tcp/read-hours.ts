import { WHOLE_DAY, type DayHours } from './real-time.ts';

/** Parses `--hours`: `18-23` stands for the hours from 18:00 to 23:00 of each day. Throws an Error of one line. */
export function readHours(text: string): DayHours {
  const [, from = NaN, to = NaN] = (/^(\d{1,2})-(\d{1,2})$/.exec(text) ?? []).map(Number);
  if (from < to && to <= WHOLE_DAY.to) return { from, to };
  throw new Error(`--hours is '${text}', expected two hours of a day, such as 18-23 for 18:00 to 23:00`);
}
