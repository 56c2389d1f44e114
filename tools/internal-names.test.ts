import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { PLAYER_NAMES, INTERNAL_NAMES } from './internal-names.ts';
import { root } from './steps.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const withoutComments = (code: string): string => code.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
const source = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => withoutComments(read(join('src', file))))
  .join('\n');

it('lists each name once, and only names that the sources contain', () => {
  expect([...new Set(INTERNAL_NAMES)]).toEqual(INTERNAL_NAMES);
  const words = new Set(source.match(/\w+/g));
  expect(INTERNAL_NAMES.filter((name) => !words.has(name))).toEqual([]);
});

it.each(['dashjs', 'dashjs-v4'])('lists no name that %s uses', (version) => {
  const words = new Set(withoutComments(read(`node_modules/${version}/index.d.ts`)).match(/\w+/g));
  expect(words).toContain('getVideoElement');
  expect(INTERNAL_NAMES.filter((name) => words.has(name))).toEqual([]);
});

it.each([
  ['hls', 'hls.js', 'bwEstimator'],
  ['shaka', 'shaka-player', 'abrFactory'],
])(
  'keeps the names of the player that the adapter for %s reads',
  { timeout: 60_000 },
  (adapter, player, known) => {
    const declared = withoutComments(read(`src/${adapter}/player.ts`)).match(/\w+/g) ?? [];
    const words = new Set([...declared, ...listPlayerProperties(player, `src/${adapter}.ts`)]);
    expect(words).toContain(known);
    expect(INTERNAL_NAMES.filter((name) => words.has(name))).toEqual(PLAYER_NAMES[`src/${adapter}.ts`]);
  },
);

/** Returns the names of the properties of a player, as its package declares them, that an entry's sources read. */
function listPlayerProperties(player: string, entry: string): readonly string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [entry], include: [] }, ts.sys, root);
  const program = ts.createProgram([join(root, entry)], { ...options, types: [] });
  const checker = program.getTypeChecker();
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isDestructured = ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent);
      const property = isDestructured
        ? checker.getTypeAtLocation(parent.parent).getProperty(node.text)
        : checker.getSymbolAtLocation(node);
      const isOfPlayer = property?.declarations?.some((each) =>
        each.getSourceFile().fileName.includes(`node_modules/${player}/`),
      );
      if (isOfPlayer) found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (!file.fileName.includes('node_modules')) visit(file);
  return found;
}

it('lists no name that is accessed by a string', () => {
  const texts = new Set(Array.from(source.matchAll(/['"`](\w+)['"`]/g), ([, text]) => text));
  expect(texts).toContain('requiredThroughput');
  expect(INTERNAL_NAMES.filter((name) => texts.has(name))).toEqual([]);
});

it('lists no name of a built-in object, which the build would also shorten', () => {
  const builtIns = [
    Object,
    Function,
    Array,
    String,
    Number,
    RegExp,
    Date,
    Map,
    Set,
    WeakMap,
    WeakSet,
    Promise,
  ];
  const names = new Set(
    builtIns.flatMap((each) => [
      ...Object.getOwnPropertyNames(each),
      ...Object.getOwnPropertyNames(each.prototype),
    ]),
  );
  expect(names).toContain('apply');
  expect(INTERNAL_NAMES.filter((name) => names.has(name))).toEqual([]);
});
