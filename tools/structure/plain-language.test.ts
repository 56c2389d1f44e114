import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { checkPlainLanguage, findCommentProblem, PLAIN_FOLDERS } from './plain-language.ts';
import { readSources } from './sources.ts';

const check = (code: string): string[] =>
  checkPlainLanguage({
    path: 'a.ts',
    tree: ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true),
  }).map(({ where, problem }) => `${where}: ${problem}`);

describe('findCommentProblem', () => {
  it.each([
    ['What the network carries.', "begins with 'What'"],
    ['Of each rung, the best plan.', "begins with 'Of'"],
    ['So many segments are planned.', "begins with 'So many'"],
    ['Is told of each request.', "begins with 'Is told'"],
    ["The ladder's.", 'is a fragment'],
    ['Chosen in simulations. Ours.', 'is a fragment'],
    ['Stops when the latest download was.', "ends with 'was.'"],
    ['Passed on as is. It stays.', "ends with 'as is.'"],
  ])('rejects %j', (text, problem) => expect(findCommentProblem(text)).toContain(problem));

  it.each([
    'The highest bitrate that the map allows, kbit/s.',
    'Whether the latest download was abandoned.',
    'Often the first segment is the largest.',
    "The ladder's top rung.",
    'Office hours of the operator.',
  ])('accepts %j', (text) => expect(findCommentProblem(text)).toBeUndefined());
});

describe('checkPlainLanguage', () => {
  it('finds comments of every kind, with their lines', () => {
    const code = '/**\n * What is\n * kept.\n */\nconst a = 1; // Of b.\n\n// A buffer level\n// that was.\n';
    expect(check(code)).toEqual([
      "a.ts:1: the comment begins with 'What'",
      "a.ts:5: the comment begins with 'Of'",
      "a.ts:7: a sentence of the comment ends with 'was.'",
    ]);
  });

  it('does not take strings for comments', () => {
    expect(check("const a = '// What';\nconst b = `/* Of */`;\n")).toEqual([]);
  });

  it.each([
    'function ladderOf() {}',
    'const nginxLack = () => null;',
    'class A { #stateOf() {} }',
    'interface A { reasonOf(): void }',
    'const a = { rateOf: () => 1 };',
  ])('finds the name in %j', (code) => expect(check(code)).toHaveLength(1));

  it.each(['const typeOf = 1;', 'function getLadder() {}', "'a'.indexOf('b');", 'class A { of() {} }'])(
    'accepts %j',
    (code) => expect(check(code)).toEqual([]),
  );
});

it(`finds nothing in ${PLAIN_FOLDERS.join(', ')}`, () => {
  const sources = readSources().filter(({ path }) => PLAIN_FOLDERS.includes(path.split('/')[0] ?? ''));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(checkPlainLanguage)).toEqual([]);
});
