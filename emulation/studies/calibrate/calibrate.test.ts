import { expect, it } from 'vitest';
import { calibrate } from './calibrate.ts';
import { firstPoints, toLink, searchSpace } from './emulator.ts';

const bounds = { most_mbps: 10, least_delay_ms: 30, most_delay_ms: 90 };

it('plans one run per hidden path, in virtual time only', async () => {
  const { settings, runs } = await calibrate.plan({ quick: true });
  expect(runs.map(({ cell }) => cell)).toEqual(settings.paths);
  expect([settings.paths.length, settings.trials, settings.thorough]).toEqual([6, 40, false]);
  expect(calibrate.places.map(({ clock }) => clock)).toEqual(['virtual']);
});

it('derives the search space and the first points from the measurements', () => {
  const space = searchSpace(bounds);
  const [first] = firstPoints(bounds);
  if (!first) throw new Error('no first point');
  for (const { name, low, high } of space) {
    expect(first[name], name).toBeGreaterThanOrEqual(low);
    expect(first[name], name).toBeLessThanOrEqual(high);
  }
  // By hand: 10 Mbit/s x 1514 / 1500 bytes = 10.093 Mbit/s of frames; 30 ms minus the 1.2 ms of a frame; and a queue of
  // 60 ms, which is 10.093 Mbit/s x 60 ms = 75,700 bytes.
  expect(first.mbps).toBeCloseTo(10.093, 3);
  expect(first.delay_ms).toBeCloseTo(30 - 1.2, 3);
  expect(first.queue_bytes).toBeCloseTo(75_700, -2);
});

it('converts an emulator to a link with half of its RTT in each direction', () => {
  const link = toLink({ mbps: 8, delay_ms: 20, queue_bytes: 50_000, loss: 0.01, service: 'poisson' });
  const expected = { rate: { kind: 'poisson', mbps: 8 }, queue_bytes: 50_000, loss: 0.01 };
  expect(link).toEqual({ ...expected, rtt_ms: 40 });
  // Jitter is added to the lowest delay: a delay of 20 to 30 ms is 25 ± 5 ms.
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
