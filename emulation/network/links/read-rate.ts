import type { LinkRate } from './link.ts';

const POISSON = /^poisson:(-?[\d.]+)$/;
/** A rate in Mbit/s and its duration in seconds. */
const STEP = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/;

/**
 * Parses a link's rate: `40` Mbit/s; `40x30,5x20` for 40 Mbit/s over 30 s, then 5 over 20 s and so on; `poisson:40` for
 * exponentially distributed transmission times with a mean rate of 40 Mbit/s; or a mahimahi trace by name or file, for
 * both directions.
 */
export function readRate(text: string): LinkRate {
  if (/^-?[\d.]+$/.test(text)) {
    const mbps = Number(text);
    if (!(mbps > 0)) throw new Error(`--rate is '${text}', expected a number of Mbit/s above 0`);
    return { kind: 'constant', mbps };
  }
  const [, poisson] = POISSON.exec(text) ?? [];
  if (poisson !== undefined) return { kind: 'poisson', mbps: Number(poisson) };
  const steps = text.split(',').map((step) => STEP.exec(step));
  if (steps.every((step) => step !== null)) {
    if (steps.every(([, mbps]) => Number(mbps) === 0))
      throw new Error(`--rate is '${text}', expected a rate above 0 at some time`);
    return {
      kind: 'schedule',
      steps: steps.map(([, mbps, seconds]) => ({ mbps: Number(mbps), seconds: Number(seconds) })),
    };
  }
  return { kind: 'trace', downlink: text, uplink: text };
}
