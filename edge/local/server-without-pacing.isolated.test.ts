import { expect, it, vi } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { startEdge } from './server.ts';

vi.mock('./kernel/socket-options.ts', () => ({
  openSocketOptions: () => Promise.resolve({ unavailable: 'darwin has no SO_MAX_PACING_RATE' }),
  congestionControls: () => Promise.resolve({ available: [], withoutRoot: [] }),
}));

const handler = createHandler({ origin: () => Promise.resolve(new Response('media')), limits: paceLimits() });

it('warns once that it cannot pace, serves unpaced, and counts unpaced responses', async () => {
  const onWarning = vi.fn();
  const edge = await startEdge({ handler, onWarning });
  const reason = async (query: string) => {
    const answer = await fetch(`${edge.url}/1.m4s${query}`);
    expect(await answer.text()).toBe('media');
    const receipt = parseReceipt((name) => answer.headers.get(name));
    expect(receipt.pace_kbps).toBeNull();
    return receipt.reason;
  };
  expect(await reason('?CMCD=rtp%3D5000')).toBe('platform-cannot-pace');
  expect(await reason('?CMCD=rtp%3D6000')).toBe('platform-cannot-pace');
  expect(await reason('')).toBe('no-rtp');
  expect(onWarning.mock.calls).toEqual([
    ['this platform cannot pace (darwin has no SO_MAX_PACING_RATE): everything is served unpaced'],
  ]);
  await expect.poll(() => edge.stats.reasons).toEqual({ 'platform-cannot-pace': 2, 'no-rtp': 1 });
  expect(edge.cannotPace).toBe('darwin has no SO_MAX_PACING_RATE');
  await edge.close();
});

it('cannot choose a congestion control', async () => {
  await expect(startEdge({ handler, congestionControl: 'cubic' })).rejects.toThrow(
    "congestion control 'cubic' can be chosen on Linux only",
  );
});
