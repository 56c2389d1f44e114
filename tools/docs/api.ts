import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { API, DOCS, ROOT } from './pages.ts';

/** The entries of the published package, by what TypeDoc calls them. */
const ENTRIES: Record<string, string> = {
  index: 'dashjs-sammy',
  abr: 'dashjs-sammy/abr',
  experiment: 'dashjs-sammy/experiment',
};

/** Writes the API reference of the published package as Markdown, by TypeDoc. Throws an Error where it reads nothing. */
export async function writeApi(): Promise<void> {
  const out = join(DOCS, API);
  await rm(out, { recursive: true, force: true });
  const markdown: Partial<PluginOptions> = {
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
  };
  const app = await Application.bootstrapWithPlugins({
    entryPoints: Object.keys(ENTRIES).map((name) =>
      join(ROOT, 'src', name === 'index' ? 'index.ts' : `${name}/index.ts`),
    ),
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(ROOT, 'tsconfig.json'),
    name: 'API',
    readme: 'none',
    // What a reader looks for first: attachSammy.
    groupOrder: ['Functions', 'Classes', 'Variables', '*'],
    sortEntryPoints: false,
    disableSources: true,
    // The compiler has its own step in npm run check.
    skipErrorChecking: true,
    outputs: [{ name: 'markdown', path: out }],
    logLevel: LogLevel.Error,
    ...markdown,
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read src/; npm run check says what is wrong');
  for (const entry of project.children ?? []) entry.name = ENTRIES[entry.name] ?? entry.name;
  await app.generateOutputs(project);
}
