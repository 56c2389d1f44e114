import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { milliseconds } from '../../../src/units.ts';
import { ClientTimeout } from './client-patience.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const never = new Promise<never>(() => undefined);
const after = (time_ms: number) =>
  new Promise<string>((resolve) => setTimeout(() => resolve('taken'), time_ms));
function waiting() {
  const gone = new AbortController();
  return { client: new ClientTimeout(milliseconds(1000), gone.signal), gone };
}

it('waits, and leaves no timer behind', async () => {
  const { client, gone } = waiting();
  const taken = client.wait(after(900));
  await vi.advanceTimersByTimeAsync(900);
  expect(await taken).toBe('taken');
  const waits = client.wait(never);
  gone.abort();
  await expect(waits).rejects.toThrow('gone');
  await expect(client.wait(never)).rejects.toThrow('gone');
  client.end();
  expect(vi.getTimerCount()).toBe(0);
});

it('adds up its waits until the client has received 256 kB', async () => {
  const { client } = waiting();
  for (let n = 0; n < 2; n++) {
    const wait = client.wait(after(400));
    await vi.advanceTimersByTimeAsync(400);
    await wait;
    client.took(16_384);
  }
  const third = expect(client.wait(after(400))).rejects.toThrow('too slow');
  await vi.advanceTimersByTimeAsync(400);
  await third;

  const other = waiting().client;
  for (let n = 0; n < 5; n++) {
    const wait = other.wait(after(400));
    await vi.advanceTimersByTimeAsync(400);
    expect(await wait).toBe('taken');
    other.took(262_144);
  }
});
