import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { DEFAULTS } from './options.ts';

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'), 99, true);

const nodesOf = (node: ts.Node): ts.Node[] => [node, ...node.getChildren().flatMap(nodesOf)];

/** The options of an interface, and what their `@defaultValue` says. */
const said = (file: string, name: string): [string, string | undefined][] =>
  nodesOf(parse(file))
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
    nodesOf(parse(file)).flatMap((node) =>
      ts.isBindingElement(node) && node.initializer
        ? [[(node.propertyName ?? node.name).getText(), node.initializer.getText()]]
        : [],
    ),
  );

it.each([
  ['SmoothOptions', './pace/smooth.ts', './pace/smooth.ts'],
  ['BbaOptions', './abr/bba.ts', './abr/bba.ts'],
  ['BolaOptions', './abr/bola.ts', './abr/bola.ts'],
  ['QoeOptions', './abr/qoe.ts', './abr/mpc/mpc-session.ts'],
  ['ScenarioOptions', './abr/mpc/scenario-mpc.ts', './abr/mpc/scenario-mpc.ts'],
  ['FuguOptions', './abr/fugu/fugu.ts', './abr/fugu/fugu.ts'],
  ['SidecarOptions', './host/browser/sidecar.ts', './host/browser/sidecar.ts'],
])('each of %s tells its default, and that is true', (name, file, takenIn) => {
  const options = said(file, name);
  expect(options.length).toBeGreaterThan(0);
  // What is no literal is told in words.
  const words: Readonly<Record<string, string>> = { toConsole: 'the console' };
  for (const [option, value] of options) {
    const text = taken(takenIn).get(option) ?? '';
    expect(value, option).toBe(words[text] ?? text);
  }
});

it('each of SammyOptions tells its default, and that is true', () => {
  const options = said('./options.ts', 'SammyOptions');
  expect(options.map(([option]) => option)).toEqual(expect.arrayContaining(Object.keys(DEFAULTS)));
  for (const [option, value] of options) {
    const given: unknown = DEFAULTS[option as keyof typeof DEFAULTS];
    expect(value, option).toBe(typeof given === 'string' ? `'${given}'` : String(given));
  }
});

it('each option of attachSammy alone tells its default', () => {
  expect(Object.fromEntries(said('./host/handle.ts', 'AttachOptions'))).toEqual({
    storage: 'localStorage',
    summary: 'undefined',
  });
});
