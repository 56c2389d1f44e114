import { expect, it } from 'vitest';
import { kbps, seconds } from '../src/units.ts';
import { benchLoad } from './load.ts';
import { openSocketOptions } from '../edge/local/kernel/socket-options.ts';

const canPace = !('unavailable' in (await openSocketOptions()));

/**
 * Maximum number of attempts. A busy machine delays servers and viewers only in some attempts; a wrong pace would be
 * wrong in all of them.
 */
const ATTEMPTS = 5;

it.skipIf(!canPace)(
  '40 simultaneous viewers each get their requested pace',
  async () => {
    const load = { connections: 40, duration: seconds(3), rtp: kbps(4000), besideOthers: false };
    const ratios: (readonly [lowest: number, highest: number])[] = [];
    // The tolerance is wider than the benchmark's 10%, because one loopback packet of 64 kB is 4% of the data of 3 s.
    const isPaced = () => ratios.some(([lowest, highest]) => lowest > 0.8 && highest < 1.2);
    for (let attempt = 0; attempt < ATTEMPTS && !isPaced(); attempt++) {
      const [edge] = await benchLoad(load);
      expect(edge).toMatchObject({ connections: 40, errors: 0 });
      if (edge) ratios.push([edge.lowest_ratio, edge.highest_ratio]);
    }
    expect(isPaced(), `lowest and highest over the pace, by attempt: ${JSON.stringify(ratios)}`).toBe(true);
  },
  180_000,
);
