import { readFile } from 'node:fs/promises';
import type { LinkSettings } from '../../../p4/switch/live/path.ts';
import type { LinkRate } from './link.ts';
import { parseTrace, resolveTrace } from './traces.ts';

/** A direction's rate in the form of the P4 switch's settings, and its mean. */
interface SwitchRate {
  readonly settings: Pick<LinkSettings, 'rate_bit_s' | 'rate_schedule' | 'rate_poisson_bit_s' | 'rate_trace'>;
  readonly mean_mbps: number;
}

/**
 * Returns the rates that mm-link would use: a schedule applies to the downlink, and the uplink has the schedule's
 * highest rate.
 */
export async function switchRates(
  rate: LinkRate,
): Promise<{ readonly downlink: SwitchRate; readonly uplink: SwitchRate }> {
  switch (rate.kind) {
    case 'constant':
      return { downlink: constant(rate.mbps), uplink: constant(rate.mbps) };
    case 'poisson':
      return { downlink: poisson(rate.mbps), uplink: poisson(rate.mbps) };
    case 'schedule': {
      if (rate.steps.some(({ mbps }) => mbps === 0))
        throw new Error('the P4 switch does not support traces with pauses; use --link mahimahi');
      const seconds = rate.steps.reduce((sum, step) => sum + step.seconds, 0);
      const megabits = rate.steps.reduce((sum, step) => sum + step.seconds * step.mbps, 0);
      return {
        downlink: {
          settings: {
            rate_schedule: rate.steps.map(({ seconds, mbps }) => ({ seconds, bit_s: mbps * 1e6 })),
          },
          mean_mbps: megabits / seconds,
        },
        uplink: constant(Math.max(...rate.steps.map(({ mbps }) => mbps))),
      };
    }
    case 'trace':
      if (rate.offset_ms !== undefined)
        throw new Error('the P4 switch does not support mahimahi traces with an offset; use --link mahimahi');
      return {
        downlink: await traced(rate.downlink, 'downlink'),
        uplink: await traced(rate.uplink, 'uplink'),
      };
  }
}

const constant = (mbps: number): SwitchRate => ({ settings: { rate_bit_s: mbps * 1e6 }, mean_mbps: mbps });
const poisson = (mbps: number): SwitchRate => ({
  settings: { rate_poisson_bit_s: mbps * 1e6 },
  mean_mbps: mbps,
});

async function traced(name: string, direction: 'uplink' | 'downlink'): Promise<SwitchRate> {
  const path = await resolveTrace(name, direction);
  const { mean_mbps } = parseTrace(await readFile(path, 'utf8'), path);
  return { settings: { rate_trace: path }, mean_mbps };
}
