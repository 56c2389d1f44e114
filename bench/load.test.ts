import { expect, it } from 'vitest';
import { kbps, seconds } from '../src/units.ts';
import { benchLoad } from './load.ts';
import { openSocketOptions } from '../edge/local/kernel/socket-options.ts';

const canPace = !('unavailable' in (await openSocketOptions()));

it.skipIf(!canPace)(
  '40 simultaneous viewers each get the pace that they asked for',
  async () => {
    const load = { connections: 40, duration: seconds(3), rtp: kbps(4000), besideOthers: false };
    const [edge] = await benchLoad(load);
    expect(edge).toMatchObject({ connections: 40, errors: 0 });
    // Wider than the benchmark's 10%, because one loopback packet of 64 kB is 4% of what arrives in 3 s.
    expect(edge?.lowest_ratio).toBeGreaterThan(0.8);
    expect(edge?.highest_ratio).toBeLessThan(1.2);
  },
  60_000,
);
