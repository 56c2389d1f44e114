import { expect, it } from 'vitest';
import { printable } from './printable.ts';

it.each([
  ['\u009b31m', '\\u{9b}31m'],
  ['\x1b[2J', '\\u{1b}[2J'],
  ['a\nb\tc', 'a\\u{a}b\\u{9}c'],
  ['\u202e\u2028\ud800', '\\u{202e}\\u{2028}\\u{d800}'],
  ['plain, ü and 日本', 'plain, ü and 日本'],
])('escapes %j', (text, expected) => expect(printable(text)).toBe(expected));
