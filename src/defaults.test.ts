import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { DEFAULTS } from './options.ts';

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'), 99, true);

const findNodes = (node: ts.Node): ts.Node[] => [node, ...node.getChildren().flatMap(findNodes)];

/** Returns the options of an interface with their `@defaultValue`. */
const said = (file: string, name: string): [string, string | undefined][] =>
  findNodes(parse(file))
    .filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
    .flatMap((node) => [...(node as ts.InterfaceDeclaration).members])
    .filter((member) => member.questionToken !== undefined)
    .map((member) => [
      member.name?.getText() ?? '',
      ts.getTextOfJSDocComment(
        ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'defaultValue')?.comment,
      ),
    ]);

/** Returns the defaults in statements such as `const { option = 1 } = options` of a file. */
const taken = (file: string): Map<string, string> =>
  new Map(
    findNodes(parse(file)).flatMap((node) =>
      ts.isBindingElement(node) && node.initializer
        ? [[(node.propertyName ?? node.name).getText(), node.initializer.getText()]]
        : [],
    ),
  );

/** The files with the defaults of options that several algorithms share. */
const TAKEN_IN: Readonly<Record<string, string>> = { QoeOptions: './abr/mpc/mpc-session.ts' };

/** The option interfaces of the algorithms, with their files. */
const ofAlgorithms = readdirSync(new URL('./abr', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => `./abr/${file}`)
  .flatMap((file) =>
    findNodes(parse(file))
      .filter((node) => ts.isInterfaceDeclaration(node))
      .map(({ name }) => name.text)
      .filter((name) => name.endsWith('Options') && said(file, name).length > 0)
      .map((name): [string, string, string] => [name, file, TAKEN_IN[name] ?? file]),
  );

it('finds the options of algorithms', () => {
  expect(ofAlgorithms.map(([name]) => name)).toContain('BbaOptions');
});

it.each([
  ...ofAlgorithms,
  ['SmoothOptions', './pace/smooth.ts', './pace/smooth.ts'] as const,
  ['SidecarOptions', './host/browser/sidecar.ts', './host/browser/sidecar.ts'] as const,
])('each option of %s documents its actual default', (name, file, takenIn) => {
  const options = said(file, name);
  expect(options.length).toBeGreaterThan(0);
  // Defaults that are not literals are described in words.
  const words: Readonly<Record<string, string>> = { toConsole: 'the console' };
  for (const [option, value] of options) {
    const text = taken(takenIn).get(option) ?? '';
    expect(value, option).toBe(words[text] ?? text);
  }
});

it('documents the correct default of each option of SammyOptions', () => {
  const options = said('./options.ts', 'SammyOptions');
  expect(options.map(([option]) => option)).toEqual(expect.arrayContaining(Object.keys(DEFAULTS)));
  for (const [option, value] of options) {
    const given: unknown = DEFAULTS[option as keyof typeof DEFAULTS];
    expect(value, option).toBe(typeof given === 'string' ? `'${given}'` : String(given));
  }
});

it('documents the default of each option that only attachSammy has', () => {
  expect(Object.fromEntries(said('./host/handle.ts', 'AttachOptions'))).toEqual({
    storage: 'localStorage',
    summary: 'undefined',
  });
});
