import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { circlesOf, functionsOf, importsOf, packagesLoadedBy, readSources, type Source } from './sources.ts';

const sources = readSources();

/** Statements contain expressions and expressions statements, so the files that read or check them import each other. */
const GRAMMAR = ['p4/compiler/parser/', 'p4/compiler/check/'];

const MOST_FILES = 20;

const MOST_LINES = 80;

/** Rooms of one thing a file, each with a line in a list. */
const LISTED = ['src/abr/', 'src/pace/', 'emulation/arms/', 'emulation/neighbours/', 'p4/externs/'];

/** Started by its path, as a process of its own. */
const PROGRAM = 'emulation/neighbours/tcp/tcp-receiver.ts';

describe('the repository', () => {
  it('has no circle of imports, not even of types, but in a grammar', () => {
    const circles = circlesOf(new Map(sources.map((source) => [source.path, importsOf(source)])));
    const others = circles.filter(
      (files) => !GRAMMAR.some((folder) => files.every((file) => file.startsWith(folder))),
    );
    expect(others).toEqual([]);
  });

  it('has no algorithm, pace policy, arm, neighbour or extern whose line in its list was forgotten', () => {
    const imported = new Set([...sources.flatMap(importsOf), PROGRAM]);
    const forgotten = sources.filter(
      ({ path }) => LISTED.some((room) => path.startsWith(room)) && !imported.has(path),
    );
    expect(forgotten.map(({ path }) => path)).toEqual([]);
  });

  it(`has at most ${MOST_FILES} sources in a folder`, () => {
    const folders = sources.map(({ path }) => path.slice(0, path.lastIndexOf('/')));
    const filesIn = (folder: string) => folders.filter((each) => each === folder).length;
    expect([...new Set(folders)].filter((folder) => filesIn(folder) > MOST_FILES)).toEqual([]);
  });

  it(`has no function above ${MOST_LINES} lines`, () => {
    const long = sources
      .flatMap(functionsOf)
      .filter(({ lines }) => lines > MOST_LINES)
      .map(({ where, lines }) => `${where} has ${lines} lines`);
    expect(long).toEqual([]);
  });
});

describe('npm run lab', () => {
  const byPath = new Map(sources.map((each) => [each.path, each]));

  // A chart, a browser driver or a bundler takes seconds to load, and is loaded by who draws, plays or builds.
  it.each(['emulation/command.ts', 'emulation/actions/list.ts', 'emulation/experiments/index.ts'])(
    '%s loads no package',
    (path) => {
      expect(packagesLoadedBy(path, byPath)).toEqual([]);
    },
  );

  it('is seen to load what it does', () => {
    expect(packagesLoadedBy('emulation/drawing/svg.ts', byPath)).toEqual(['@observablehq/plot', 'happy-dom']);
    expect(packagesLoadedBy('emulation/report/write-report.ts', byPath)).toContain('happy-dom');
  });
});

describe('the check itself', () => {
  const source = (path: string, text: string): Source => ({
    path,
    tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  });

  it('sees imports of values, of types and in types, and what is exported again, but no packages', () => {
    const text = `
      import { a } from './a.ts';
      import type { B } from '../b.ts';
      export { c } from './c/c.ts';
      type D = import('./d.ts').D;
      import ts from 'typescript';
      const later = () => import('./later.ts');`;
    expect(importsOf(source('room/folder/file.ts', text))).toEqual([
      'room/folder/a.ts',
      'room/b.ts',
      'room/folder/c/c.ts',
      'room/folder/d.ts',
    ]);
  });

  it('finds what imports itself round about', () => {
    const imports = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
      ['e', ['e']],
      ['f', ['a', 'e']],
    ]);
    expect(circlesOf(imports)).toEqual([['a', 'b', 'c'], ['e']]);
  });

  it('finds two circles that share a file to be one', () => {
    const imports = new Map([
      ['a', ['b', 'c']],
      ['b', ['a']],
      ['c', ['a']],
    ]);
    expect(circlesOf(imports)).toEqual([['a', 'b', 'c']]);
  });

  it('counts the lines of functions, with those within them', () => {
    const text = 'function outer() {\n  const inner = () => {\n    return 1;\n  };\n  return inner;\n}\n';
    expect(functionsOf(source('f.ts', text))).toEqual([
      { where: 'f.ts:1', lines: 6 },
      { where: 'f.ts:2', lines: 3 },
    ]);
  });
});
