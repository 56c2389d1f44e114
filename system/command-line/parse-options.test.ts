import type { ParseArgsConfig } from 'node:util';
import { describe, expect, it } from 'vitest';
import { optionsHelp, parseOptions } from './parse-options.ts';
import { suggestionFor } from './suggestion.ts';

const options = {
  origin: { type: 'string' },
  pacing: { type: 'string', default: 'on' },
  'floor-kbps': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  insecure: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];
const parse = (line: string) =>
  parseOptions({ args: line.split(' '), options }, ['check', 'sessions']).values;

describe('parseOptions', () => {
  it('parses the same as parseArgs, and negative numbers', () => {
    expect({ ...parse('--origin a --allow-origin=b --allow-origin c --insecure --floor-kbps -5') }).toEqual({
      origin: 'a',
      pacing: 'on',
      'floor-kbps': '-5',
      'allow-origin': ['b', 'c'],
      insecure: true,
    });
  });

  it.each([
    ['--pacng off', "unknown option '--pacng' (Did you mean --pacing?); --help lists them"],
    ['--floor 500', "unknown option '--floor' (Did you mean --floor-kbps?); --help lists them"],
    ['--bandwidth 3', "unknown option '--bandwidth'; --help lists them"],
    ['-o x', "unknown option '-o'; --help lists them"],
    ['chekc http://x', "unknown command 'chekc' (Did you mean check?)"],
    ['http://x', "unexpected argument 'http://x'; --help lists what there is"],
    ['--origin --pacing off', "--origin is followed by '--pacing', expected its value"],
    ['--origin', '--origin is the last word, expected its value'],
  ])('refuses %j', (line, message) => {
    expect(() => parse(line)).toThrow(new Error(message));
  });

  it('accepts arguments if they are allowed', () => {
    const args = ['URL', '--insecure', '--', '--x'];
    expect(parseOptions({ args, options, allowPositionals: true }).positionals).toEqual(['URL', '--x']);
  });
});

it('describes each option in a column, in lines of at most 118 characters', () => {
  const words = Array.from({ length: 60 }, () => 'abc').join(' ');
  const help = optionsHelp({
    port: { type: 'string', valueName: 'N', about: 'where to listen' },
    'max-connections-per-address': { type: 'string', valueName: 'N', about: 'of one address' },
    yield: { type: 'boolean', about: words },
  });
  const lines = help.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '  --port N                   where to listen',
    '  --max-connections-per-address N',
    '                             of one address',
  ]);
  // 22 words of 3 letters with spaces have 87 characters, and 23 words have 91. The column has 89.
  expect(lines.slice(3).map((line) => line.length)).toEqual([29 + 87, 29 + 87, 29 + 63]);
  expect(lines[3]).toMatch(/^ {2}--yield {20}abc abc/);
});

it.each([
  ['samy', ['dashjs', 'sammy', 'sammy-bba'], 'sammy'],
  ['dahsjs', ['dashjs-rtp', 'dashjs'], 'dashjs'],
  ['fugue', ['fugu', 'bba'], 'fugu'],
  ['nobody', ['dashjs', 'sammy'], null],
  ['x', ['a', 'b'], null],
  ['', ['a', 'b'], null],
])('suggests for %j of %j %j', (word, names, suggestion) => {
  expect(suggestionFor(word, names)).toBe(suggestion === null ? '' : ` (Did you mean ${suggestion}?)`);
});
