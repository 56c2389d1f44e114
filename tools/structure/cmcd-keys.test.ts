import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paceKeys } from '../../src/host/cmcd.ts';
import { loopKeys } from '../../src/loop/loop-keys.ts';
import { kbps } from '../../src/units.ts';
import * as wire from '../../src/wire/rtp.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const keys = Object.entries(wire).flatMap(([name, key]) => (name.endsWith('_KEY') ? [String(key)] : []));

it.each(['rtp', ...keys])('%s is sent, has test cases for every edge, and a row in the guide', (key) => {
  const sent = [...paceKeys(kbps(5000), kbps(9000)), ...loopKeys(kbps(3000), '0'.repeat(32))];
  const names = sent.map((member) => member.split('=')[0]);
  expect(names).toContain(key);
  // In a query, a key is followed by a value, another key or the end.
  expect(read('edge/cases.json')).toMatch(new RegExp(`${key.replaceAll('.', '\\.')}(=|%3D|%2C|,|"|&)`));
  expect(read('docs/guide/caches.md')).toMatch(new RegExp(`^\\| \`${key.replaceAll('.', '\\.')}\` `, 'm'));
});
