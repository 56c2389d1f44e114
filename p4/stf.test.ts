import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileFile } from './compiler/compile.ts';
import { UnsupportedCommand, compare, runStf } from './stf.ts';

const compiled = compileFile(join(import.meta.dirname, 'tests/table-ternary.p4'));
const PACKET = 'packet 0 0a010203 00000000 0003 00 00';

describe('comparing packets', () => {
  test.each([
    ['0A', '0A0B', undefined],
    ['0A$', '0A0B', 'expected exactly 1 bytes, got 2: 0A0B'],
    ['0*0B$', '0A0B', undefined],
    ['0A0C', '0A0B', 'byte 1 is 0B, expected 0C; got 0A0B'],
    ['0A0B0C', '0A0B', 'expected at least 3 bytes, got 2: 0A0B'],
    ['', '0A', undefined],
  ])('%s with %s', (pattern, packet, difference) => {
    expect(compare(pattern, packet)).toBe(difference);
  });

  test('reports missing and additional packets, except on ports that the test does not name', () => {
    expect(runStf(compiled, `${PACKET}\n`).passed).toBe(true);
    expect(runStf(compiled, `${PACKET}\nexpect 1\n`).passed).toBe(true);
    expect(runStf(compiled, `${PACKET}\n${PACKET}\nexpect 1 0a\n`).difference).toContain(
      'port 1: expected 1 packets, got 2',
    );
    expect(runStf(compiled, `${PACKET}\nexpect 2 0a\n`).difference).toBe('port 2: expected 1 packets, got 0');
  });

  test('accepts any packets if no data is expected', () => {
    expect(runStf(compiled, `${PACKET}\n${PACKET}\nexpect 1\nexpect 2\n`).passed).toBe(true);
  });
});

test('reports commands that failed as warnings', () => {
  const { warnings } = runStf(
    compiled,
    'add nothing x:1 set(v:1)\nadd t 1 hdr.data.z:1 set(v:1)\nadd t 1 hdr.data.d:1 set(v:999)\n',
  );
  expect(warnings).toEqual([
    "line 1: there is no table 'nothing'; there are: ingress.t",
    "line 2: the table ingress.t has no key 'hdr.data.z'; it has: hdr.data.a, hdr.data.c, hdr.data.d",
    "line 3: 999 does not fit the 8 bits of 'v'",
  ]);
});

test('check_counter without a comparison requires the counter to exist', () => {
  const counters = compileFile(join(import.meta.dirname, 'tests/counters.p4'));
  const [object] = counters.program.objects;
  expect(runStf(counters, `check_counter ${object?.name ?? ''}(0)`).passed).toBe(true);
});

test('rejects unknown commands as unsupported', () => {
  expect(() => runStf(compiled, 'frobnicate 1\n')).toThrow(UnsupportedCommand);
});
