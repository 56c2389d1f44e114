import { expect, it } from 'vitest';
import { kernels } from '../../../../buffers/packets/kernel-rules.ts';
import { RoutedNetwork } from '../../../../buffers/packets/routed-network.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { SessionClock } from './session-clock.ts';

it('is never before the time of a scheduled event, despite rounding', () => {
  const random = seededRandom(1);
  const network = new RoutedNetwork({
    port: { queues: 1, buffer_packets: 1, packet_ms: 1 },
    ...{ congestion_control: 'reno', paced: true, kernel: kernels['6.1'], random },
  });
  let happened = 0;
  const clocks = Array.from({ length: 200 }, () => new SessionClock(network, 32_000 * Math.cbrt(random())));
  // At 2^15 ms, the network's time loses a bit of precision.
  for (const clock of clocks)
    network.at(32_768 - 40 * Math.cbrt(random()), () => {
      const due_ms = clock.now_ms + 40;
      clock.at(due_ms, () => {
        happened++;
        expect(clock.now_ms).toBeGreaterThanOrEqual(due_ms);
      });
      clock.at(due_ms, () => expect.unreachable())();
    });
  network.runTo(33_000);
  expect(happened).toBe(200);
});
