import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('returns no port twice, even if nothing listens on it yet', async () => {
  // There are 20,768 ports. 1,000 independent draws would contain a port twice with probability 1 - 2.4e-11.
  const ports = new Set<number>();
  for (let count = 0; count < 1000; count++) ports.add(await freePort());
  expect(ports.size).toBe(1000);
});
