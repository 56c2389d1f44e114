import { expect, it } from 'vitest';
import type { Values } from '../words.ts';
import { world } from './command.ts';

it.each<[Values, RegExp]>([
  [{ over: 'quic' }, /^--over is 'quic', expected one of virtual-time, tcp$/],
  [{ patience: 'short' }, /^--patience is 'short', expected one of endless, krishnan-sitaraman$/],
  [{ hours: '18-23' }, /^world: --hours is of --over tcp$/],
  [{ over: 'tcp', hours: '23-18' }, /^--hours is '23-18', expected two hours of a day/],
  [{ over: 'tcp', design: 'switchback-hours' }, /^--design switchback-hours: over TCP a session takes up to/],
  [{ over: 'tcp', design: 'cluster' }, /^--design is 'cluster', expected one of paired, ab, /],
  [{ over: 'tcp', treatment: 'sammi' }, /^--treatment is 'sammi', expected one of cap, sammy, none$/],
  [{ over: 'tcp', table: true, design: 'ab' }, /^world: --table has all designs; leave out --design$/],
  [{ over: 'tcp', runs: '3' }, /^world: --runs is of --table$/],
  [{ over: 'tcp', jobs: '0' }, /^--jobs is '0', expected a whole number from 1/],
])('refuses %j in one line', async (values, message) => {
  await expect(world(values, '')).rejects.toThrow(message);
});
