import { expect, it } from 'vitest';
import { calibrate } from './calibrate.ts';
import { firstPoints, toLink, searchSpace } from './emulator.ts';

const bounds = { most_mbps: 10, least_delay_ms: 30, most_delay_ms: 90 };

it('plans one run of each hidden path, only in virtual time', async () => {
  const { settings, runs } = await calibrate.plan({ quick: true });
  expect(runs.map(({ cell }) => cell)).toEqual(settings.paths);
  expect([settings.paths.length, settings.trials, settings.thorough]).toEqual([6, 40, false]);
  expect(calibrate.places.map(({ clock }) => clock)).toEqual(['virtual']);
});

it("searches the range that the path's measurements allow, starting from the suggested values", () => {
  const space = searchSpace(bounds);
  const [first] = firstPoints(bounds);
  if (!first) throw new Error('no first point');
  for (const { name, low, high } of space) {
    expect(first[name], name).toBeGreaterThanOrEqual(low);
    expect(first[name], name).toBeLessThanOrEqual(high);
  }
  // By hand: 10 Mbit/s of 1500 bytes in frames of 1514; 30 ms less a frame of 1.2 ms; and a queue of 60 ms at that rate.
  expect(first.mbps).toBeCloseTo(10.093, 3);
  expect(first.delay_ms).toBeCloseTo(30 - 1.2, 3);
  expect(first.queue_bytes).toBeCloseTo(75_700, -2);
});

it('an emulator is a link with half of its round trip each way', () => {
  const link = toLink({ mbps: 8, delay_ms: 20, queue_bytes: 50_000, loss: 0.01, service: 'poisson' });
  const expected = { rate: { kind: 'poisson', mbps: 8 }, queue_bytes: 50_000, loss: 0.01 };
  expect(link).toEqual({ ...expected, rtt_ms: 40 });
  // Jitter comes on top of the least delay: 20 to 30 ms is 25 ms, more or less by 5.
  const five = {
    mbps: 8,
    delay_ms: 20,
    queue_bytes: 50_000,
    loss: 0.01,
    service: 'poisson',
    jitter_ms: 5,
  } as const;
  expect(toLink(five)).toEqual({ ...expected, rtt_ms: 50, jitter_ms: 5 });
});
