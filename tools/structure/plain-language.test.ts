import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  checkPlainLanguage,
  checkText,
  findCommentProblem,
  isSuspicious,
  OTHER_LANGUAGES,
} from './plain-language.ts';
import { listFiles, parseSource, readText } from './sources.ts';

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
  ])('rejects %j', (text, problem) => {
    expect(findCommentProblem(text)).toContain(problem);
    expect(isSuspicious(`/** ${text.replaceAll(' ', '\n * ')} */`)).toBe(true);
  });

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
    expect(isSuspicious(code)).toBe(true);
    expect(check(code)).toEqual([
      "a.ts:1: the comment begins with 'What'",
      "a.ts:5: the comment begins with 'Of'",
      "a.ts:7: a sentence of the comment ends with 'was.'",
    ]);
  });

  it('does not treat strings as comments', () => {
    expect(check("const a = '// What';\nconst b = `/* Of */`;\n")).toEqual([]);
  });

  it.each([
    'function ladderOf() {}',
    'const nginxLack = () => null;',
    'class A { #stateOf() {} }',
    'interface A { reasonOf(): void }',
    'const a = { rateOf: () => 1 };',
  ])('finds the name in %j', (code) => expect([check(code).length, isSuspicious(code)]).toEqual([1, true]));

  it.each(['const typeOf = 1;', 'function getLadder() {}', "'a'.indexOf('b');", 'class A { of() {} }'])(
    'accepts %j',
    (code) => expect(check(code)).toEqual([]),
  );
});

describe('checkText', () => {
  it.each([
    ['a.py', 'x = 1\n#: Of b.\ny = 2\n', "a.py:2: the comment begins with 'Of'"],
    ['a.py', 'def f():\n    """What f\n    does."""\n', "a.py:2: the comment begins with 'What'"],
    [
      'a.py',
      'def ladder_of():\n    pass\n',
      'a.py:1: the function ladder_of is not named by an action or its result',
    ],
    ['a.rs', 'fn f() {\n    /// So many\n    /// packets.\n}\n', "a.rs:2: the comment begins with 'So many'"],
    ['a.c', '/*\n * Whoever asks.\n */\n', "a.c:1: the comment begins with 'Whoever'"],
    [
      'a.vcl',
      'sub f {\n  # A pace\n  # that was.\n}\n',
      "a.vcl:2: a sentence of the comment ends with 'was.'",
    ],
  ])('finds the problem in %s: %j', (path, text, found) => {
    expect(checkText(path, text).map(({ where, problem }) => `${where}: ${problem}`)).toEqual([found]);
  });

  it('accepts SQL in triple quotes, and plain comments', () => {
    expect(checkText('a.py', 'SQL = """\nOf b.\n"""\n# The ladder.\n')).toEqual([]);
  });
});

/** Files that are not checked: the tests of the plug-in still have violations. */
const NOT_CHECKED = /^src\/.*\.test\.ts$|\/plain-language\.test\.ts$/;

it('finds nothing in any workspace', () => {
  const sources = listFiles(/\.ts$/).filter((path) => !NOT_CHECKED.test(path));
  const others = listFiles(OTHER_LANGUAGES);
  expect([sources.length > 1000, others.length > 200]).toEqual([true, true]);
  expect([
    ...sources
      .filter((path) => isSuspicious(readText(path)))
      .map(parseSource)
      .flatMap(checkPlainLanguage),
    ...others.flatMap((path) => checkText(path, readText(path))),
  ]).toEqual([]);
}, 60_000);
