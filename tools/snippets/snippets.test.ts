import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../steps.ts';
import { checkSnippets } from './check-snippets.ts';
import { parseSnippets } from './read-snippets.ts';

it('finds blocks of code with their locations, also in lists, and treats blocks in a longer fence as text', () => {
  const text = [
    '# Title',
    '```ts{1}',
    'const a = 1;',
    '```',
    '- item',
    '',
    '  ```sh',
    '  npm start',
    '    # indented',
    '  ```',
    '````md',
    '```ts',
    '```',
    '````',
    'no language:',
    '```',
    'text',
    '```',
  ].join('\n');
  expect(parseSnippets(text, 'a.md')).toEqual([
    { where: 'a.md:3', language: 'ts', code: 'const a = 1;' },
    { where: 'a.md:8', language: 'sh', code: 'npm start\n  # indented' },
    { where: 'a.md:12', language: 'md', code: '```ts\n```' },
    { where: 'a.md:17', language: '', code: 'text' },
  ]);
  expect(() => parseSnippets('```ts\nconst a', 'a.md')).toThrow('a.md:1: the block of code is not closed');
});

/** A snippet, and the expected problem with its line, counted from 1. */
const CASES: readonly (readonly [language: string, code: string, said?: readonly [number, RegExp]])[] = [
  ['ts', "import { attachSammy } from 'dashjs-sammy';\nattachSammy(player, { c0: 3 });"],
  // This name belongs to this snippet, and is independent of the snippet above.
  ['ts', 'const attachSammy = 1;\nconsole.log(attachSammy);'],
  ['ts', 'attachSammy(player);', [1, /Cannot find name 'attachSammy'/]],
  [
    'ts',
    "import { attachSammy } from 'dashjs-sammy';\n\nattachSammy(player, { c0: 'three' });",
    [3, /'string' is not assignable to type 'number'/],
  ],
  ['ts', "import { bolo } from 'dashjs-sammy/abr';\nbolo();", [1, /no exported member.*'bolo'/]],
  ['ts', "player.initialize(document.querySelector('video'));", [1, /'null' is not assignable/]],
  ['ts', 'const = 1;', [1, /expected/]],
  ['json', '{ "a": 1 }'],
  ['json', '{ a: 1 }', [1, /JSON/]],
  ['html', '<script src="a.js"></script>\n<script>\n  const player = 1;\n</script>'],
  ['html', '<script>\n  const = 1;\n</script>', [1, /expected/]],
  ['sh', 'npm start\nnpm run lab -- list\nnpm run --silent lab\nnode --import tsx bench/main.ts\nfoo'],
  ['sh', 'npm run labb', [1, /no npm script 'labb'/]],
  ['sh', 'node --import tsx bench/nowhere.ts', [1, /no file bench\/nowhere\.ts/]],
  ['vcl', 'not = checked'],
];

it('reports the problems of a snippet with their locations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  try {
    const lines: string[] = [];
    const expected: unknown[] = [];
    for (const [language, code, said] of CASES) {
      lines.push(`\`\`\`${language}`);
      const first = lines.length;
      if (said) expected.push(expect.stringMatching(new RegExp(`:${first + said[0]}: .*${said[1].source}`)));
      lines.push(...code.split('\n'), '```', '');
    }
    const file = join(folder, 'page.md');
    writeFileSync(file, lines.join('\n'));
    const { problems, checked } = checkSnippets([file], root);
    expect(checked).toBe(CASES.length - 1);
    const byLine = (problem: string) => Number(/md:(\d+)/.exec(problem)?.[1]);
    problems.sort((a, b) => byLine(a) - byLine(b));
    // A broken statement may cause several errors.
    expect(problems.filter((problem, at) => byLine(problem) !== byLine(problems[at - 1] ?? ''))).toEqual(
      expected,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
