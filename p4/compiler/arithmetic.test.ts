import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runStf } from '../stf.ts';
import { compile } from './compile.ts';
import { SourceFile } from './source.ts';

const OPERATORS = ['+', '-', '*', '/', '%', '|+|', '|-|', '&', '|', '^', '<<', '>>'] as const;

/** Returns the expected result, computed with BigInt modulo 2^width (P4_16 §8.7). */
function reference(operator: (typeof OPERATORS)[number], a: bigint, b: bigint, width: number): bigint {
  const most = (1n << BigInt(width)) - 1n;
  const wrap = (value: bigint): bigint => BigInt.asUintN(width, value);
  const beyond = b >= BigInt(width);
  switch (operator) {
    case '+':
      return wrap(a + b);
    case '-':
      return wrap(a - b);
    case '*':
      return wrap(a * b);
    case '/':
      return b === 0n ? 0n : a / b;
    case '%':
      return b === 0n ? 0n : a % b;
    case '|+|':
      return a + b > most ? most : a + b;
    case '|-|':
      return a > b ? a - b : 0n;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return beyond ? 0n : wrap(a << b);
    case '>>':
      return beyond ? 0n : a >> b;
  }
}

/**
 * Compiles a program for operands of one width. The input packet contains two operands; the output packet contains the
 * results of all operators, in order.
 */
function program(width: number): ReturnType<typeof compile> {
  const padding = (8 - (width % 8)) % 8;
  const pad = padding ? `bit<${padding}> pad;` : '';
  const results = OPERATORS.map((_, at) => `header r${at}_t { ${pad} bit<${width}> v; }`).join('\n');
  const text = `#include <v1model.p4>
header o_t { ${pad} bit<${width}> v; }
${results}
struct H { o_t a; o_t b; ${OPERATORS.map((_, at) => `r${at}_t r${at};`).join(' ')} }
struct M {}
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t sm) { state start { p.extract(h.a); p.extract(h.b); transition accept; } }
control V(inout H h, inout M m) { apply {} }
control I(inout H h, inout M m, inout standard_metadata_t sm) { apply {
  sm.egress_spec = 1;
  ${OPERATORS.map((op, at) => `h.r${at}.setValid(); h.r${at}.v = h.a.v ${op} h.b.v;`).join('\n')}
} }
control E(inout H h, inout M m, inout standard_metadata_t sm) { apply {} }
control D(packet_out p, in H h) { apply { p.emit(h); } }
V1Switch(P(), V(), I(), E(), V(), D()) main;`;
  return compile(new SourceFile('arithmetic.p4', text));
}

test.each([1, 7, 8, 19, 31, 32, 33, 48, 64, 128])('bit<%i> agrees with BigInt modulo 2^N', (width) => {
  const compiled = program(width);
  expect(compiled.diagnostics.render()).toBe('');
  const bytes = Math.ceil(width / 8);
  const hex = (value: bigint): string => value.toString(16).padStart(bytes * 2, '0');
  const most = (1n << BigInt(width)) - 1n;
  const operand = fc.oneof(
    fc.bigInt(0n, most),
    fc.constantFrom(0n, 1n, most, most >> 1n),
    fc.bigInt(0n, BigInt(width) + 2n).map((v) => v & most),
  );
  fc.assert(
    fc.property(operand, operand, (a, b) => {
      const results = OPERATORS.map((operator) => hex(reference(operator, a, b, width)));
      const test = `packet 0 ${hex(a)}${hex(b)}\nexpect 1 ${hex(a)}${hex(b)}${results.join('')}$\n`;
      expect(runStf(compiled, test).difference).toBeUndefined();
    }),
    { numRuns: 40 },
  );
});
