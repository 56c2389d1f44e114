import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { floors } from './floors.js';

const FLOORS = [
  ['ground', 'two/rooms'],
  ['first', 'words'],
  ['top', 'ground/tower'],
];

const messagesOf = (path: string, text: string): string[] =>
  new Linter({ cwd: '/' })
    .verify(
      text,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser: tseslint.parser },
          plugins: { house: { rules: { floors } } },
          rules: { 'house/floors': ['error', { house: '/house', floors: FLOORS }] },
        },
      ],
      `/house/${path}`,
    )
    .map(({ message }) => message);

describe('the rule of floors', () => {
  it.each([
    ['a lower floor', 'top/a.ts', "import '../ground/b.ts';"],
    ['a room in a room of a lower floor', 'first/deep/a.ts', "import '../../two/rooms/b.ts';"],
    ['a file of a lower floor', 'top/a.ts', "export { b } from '../words.ts';"],
    ['the room that it is in', 'ground/tower/a.ts', "import '../b.ts';"],
    ['its own room', 'top/deep/a.ts', "import '../ground/b.ts';"],
    ['another house', 'ground/a.ts', "import '../../edge/top/b.ts';"],
    ['a package', 'ground/a.ts', "import 'top';"],
    ['anything, in a file above all', 'command.ts', "import './top/b.ts';"],
  ])('lets a room import %s', (_, path, text) => {
    expect(messagesOf(path, text)).toEqual([]);
  });

  it.each([
    ['a higher floor', 'first/a.ts', "import '../top/b.ts';", 'first is not above top'],
    ['a room in it', 'ground/a.ts', "import './tower/b.ts';", 'ground is not above ground/tower'],
    ['the same floor', 'ground/a.ts', "import '../two/rooms/b.ts';", 'ground is not above two/rooms'],
    ['a type', 'ground/a.ts', "import type { B } from '../first/b.ts';", 'ground is not above first'],
    ['within a type', 'ground/a.ts', "type B = import('../first/b.ts').B;", 'ground is not above first'],
    ['later', 'ground/a.ts', "void import('../first/b.ts');", 'ground is not above first'],
    ['what is above all', 'top/a.ts', "import '../command.ts';", 'top is not above command.ts'],
  ])('lets no room import %s', (_, path, text, message) => {
    expect(messagesOf(path, text)).toEqual([`${message}: see FLOORS in eslint.config.js.`]);
  });

  it('asks for a floor for a new room', () => {
    expect(messagesOf('new/a.ts', '')).toEqual([
      'new/a.ts is in no room of FLOORS in eslint.config.js; put it on the lowest floor that it can be on.',
    ]);
  });
});
