import type { RateStep } from '../link.ts';

/**
 * A trace from one line of a JSON Lines file: `{"name", "periods": [[duration_ms, bandwidth_kbps, latency_ms], ...]}`.
 * It repeats after its end.
 */
export interface LineTrace {
  readonly name: string;
  readonly steps: readonly RateStep[];
  /** The time-weighted mean of the trace's latencies. */
  readonly rtt_ms: number;
  readonly duration_ms: number;
}

const PERIOD = '[duration_ms above 0, bandwidth_kbps from 0, latency_ms from 0]';

/** Reads traces. Throws an Error of one line that names the file, line and period, and the expected format. */
export function readJsonLines(text: string, file: string): LineTrace[] {
  const traces = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line, `${file}, line ${index + 1}`)]));
  if (traces.length === 0) throw new Error(`${file} is empty; expected one trace per line`);
  return traces;
}

function readLine(line: string, where: string): LineTrace {
  const trace = parseObject(line, where);
  const { name, periods } = trace;
  if (name === undefined || periods === undefined)
    throw new Error(
      `${where}: expected the fields name and periods (a list of ${PERIOD}), not ${quoteValue(Object.keys(trace).join(', ') || undefined)}`,
    );
  if (typeof name !== 'string' || name === '')
    throw new Error(`${where}: expected a name, not ${quoteValue(name)}`);
  const what = `${where} (${quoteValue(name.replaceAll(/\s+/g, ' '))})`;
  if (!Array.isArray(periods) || periods.length === 0)
    throw new Error(`${what}: expected a list of periods, not ${quoteValue(periods)}`);
  let [time_ms, weighted] = [0, 0];
  const steps = periods.flatMap((period: unknown, index) => {
    const [duration_ms, kbps, latency_ms] = checkedPeriod(period, `${what}, period ${index + 1}`);
    // Rounded, because emulated links count whole milliseconds.
    const begins_ms = Math.round(time_ms);
    time_ms += duration_ms;
    weighted += duration_ms * latency_ms;
    const seconds = (Math.round(time_ms) - begins_ms) / 1000;
    return seconds > 0 ? [{ seconds, mbps: kbps / 1000 }] : [];
  });
  if (!Number.isFinite(weighted))
    throw new Error(`${what}: a length of ${time_ms} ms; expected a shorter trace`);
  if (steps.length === 0) throw new Error(`${what}: a length of ${time_ms} ms; expected at least 1`);
  if (steps.every(({ mbps }) => mbps === 0))
    throw new Error(`${what}: all rates are 0; nothing would ever arrive`);
  return { name, steps, rtt_ms: weighted / time_ms, duration_ms: Math.round(time_ms) };
}

function parseObject(line: string, where: string): { readonly name?: unknown; readonly periods?: unknown } {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The Error below reports the problem.
  }
  throw new Error(`${where}: expected a JSON object, not ${quoteValue(line)}`);
}

function checkedPeriod(period: unknown, where: string): readonly [number, number, number] {
  const numbers =
    Array.isArray(period) && period.length === 3 && period.every((each) => Number.isFinite(each));
  if (!numbers) throw new Error(`${where}: expected ${PERIOD}, not ${quoteValue(period)}`);
  const [duration_ms, kbps, latency_ms] = period as [number, number, number];
  if (!(duration_ms > 0)) throw new Error(`${where}: a length of ${duration_ms} ms; expected more than 0`);
  if (kbps < 0) throw new Error(`${where}: a rate of ${kbps} kbit/s; expected 0 or more`);
  if (latency_ms < 0) throw new Error(`${where}: a latency of ${latency_ms} ms; expected 0 or more`);
  return [duration_ms, kbps, latency_ms];
}

const quoteValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
};
