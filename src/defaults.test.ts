import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { DEFAULTS } from './options.ts';

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'), 99, true);

const findNodes = (node: ts.Node): ts.Node[] => [node, ...node.getChildren().flatMap(findNodes)];

/** The options of an interface, and what their `@defaultValue` says. */
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

/** What `const { option = 1 } = options` of a file takes where nothing is given. */
const taken = (file: string): Map<string, string> =>
  new Map(
    findNodes(parse(file)).flatMap((node) =>
      ts.isBindingElement(node) && node.initializer
        ? [[(node.propertyName ?? node.name).getText(), node.initializer.getText()]]
        : [],
    ),
  );

/** Where the defaults of options are taken that several algorithms share. */
const TAKEN_IN: Readonly<Record<string, string>> = { QoeOptions: './abr/mpc/mpc-session.ts' };

/** The interfaces of the options of algorithms, with their files. */
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
  // What is no literal is told in words.
  const words: Readonly<Record<string, string>> = { toConsole: 'the console' };
  for (const [option, value] of options) {
    const text = taken(takenIn).get(option) ?? '';
    expect(value, option).toBe(words[text] ?? text);
  }
});

it('each option of SammyOptions documents its actual default', () => {
  const options = said('./options.ts', 'SammyOptions');
  expect(options.map(([option]) => option)).toEqual(expect.arrayContaining(Object.keys(DEFAULTS)));
  for (const [option, value] of options) {
    const given: unknown = DEFAULTS[option as keyof typeof DEFAULTS];
    expect(value, option).toBe(typeof given === 'string' ? `'${given}'` : String(given));
  }
});

it('each option that only attachSammy has documents its default', () => {
  expect(Object.fromEntries(said('./host/handle.ts', 'AttachOptions'))).toEqual({
    storage: 'localStorage',
    summary: 'undefined',
  });
});
