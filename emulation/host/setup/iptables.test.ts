import { expect, test } from 'vitest';
import { isUsable } from './iptables.ts';

test.each([
  ['iptables v1.8.7 (nf_tables)', true],
  ['iptables v1.8.2 (legacy)', true],
  ['iptables v1.6.10', true],
  ['iptables v1.8.8 (nf_tables)', false],
  ['iptables v1.8.10 (nf_tables)', false],
  ['iptables v1.9.0', false],
  ['iptables v2.0.1', false],
  ['what', false],
])('%s is usable: %s', (version, usable) => {
  expect(isUsable(version)).toBe(usable);
});
