/**
 * Bytes that mm-link delivers per opportunity, which is one line of a trace: an Ethernet payload of 1500 bytes and the
 * 4 bytes that a TUN device adds. Mahimahi's rates and logs count these bytes, so the lab does too.
 */
export const OPPORTUNITY_BYTES = 1504;

export interface Trace {
  /**
   * The times of delivery opportunities in whole ms. A time that occurs n times stands for n opportunities. After the
   * last time, the trace repeats.
   */
  readonly opportunities_ms: readonly number[];
  readonly duration_ms: number;
  readonly mean_mbps: number;
}

/** Parses a trace like mm-link. Throws a one-line Error that names the file, the line and the expected value. */
export function parseTrace(text: string, name: string): Trace {
  // Files from Windows editors start with a byte-order mark and end lines with CR and LF.
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const opportunities_ms: number[] = [];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const refuse = (expected: string): never => {
      const shown = line.length > 40 ? `${line.slice(0, 40)}...` : line;
      throw new Error(`trace ${name}, line ${index + 1}: expected ${expected}, not ${JSON.stringify(shown)}`);
    };
    if (!/^\d{1,15}$/.test(line)) refuse('a time in whole milliseconds');
    const time = Number(line);
    if (time < last) refuse(`a time of at least ${last}, that of the line before`);
    opportunities_ms.push(time);
    last = time;
  }
  if (opportunities_ms.length === 0)
    throw new Error(`trace ${name} is empty; expected one time in whole milliseconds a line`);
  if (last === 0)
    throw new Error(
      `trace ${name}, line ${lines.length}: expected the last time to be above 0, where it repeats`,
    );
  const mean_mbps = (opportunities_ms.length * OPPORTUNITY_BYTES * 8) / 1000 / last;
  return { opportunities_ms, duration_ms: last, mean_mbps };
}
