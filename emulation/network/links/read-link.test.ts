import { expect, it } from 'vitest';
import { readLink } from './read-link.ts';

it('reads the requested fields only', () => {
  expect(readLink({})).toEqual({});
  expect(readLink({ rate: 'poisson:40', rtt: 20, loss: 1, jitter: 2, weights: [3, 1] })).toEqual({
    rate: { kind: 'poisson', mbps: 40 },
    rtt_ms: 20,
    loss: 0.01,
    jitter_ms: 2,
    weights: [3, 1],
  });
  expect(readLink({ 'mark-above': 30 })).toEqual({ threshold: { packets: 30, action: 'mark' } });
  expect(readLink({ 'drop-above': 30 })).toEqual({ threshold: { packets: 30, action: 'drop' } });
});

it('refuses options that exclude each other, and more weights than queues', () => {
  expect(() => readLink({ 'drop-above': 1, 'mark-above': 1 })).toThrow(
    '--drop-above and --mark-above exclude each other',
  );
  for (const weights of [[1], [1, 2, 3]])
    expect(() => readLink({ weights })).toThrow(
      `--weights has ${weights.length} weights, but there are two queues: one for the video, and one for all other traffic`,
    );
});
