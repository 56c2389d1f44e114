import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, LogLevel } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { API, DOCS, ROOT } from './pages.ts';

/** The entry points of the published package, by TypeDoc's names. */
const ENTRIES: Record<string, string> = {
  index: 'dashjs-sammy',
  hls: 'dashjs-sammy/hls',
  shaka: 'dashjs-sammy/shaka',
  abr: 'dashjs-sammy/abr',
  experiment: 'dashjs-sammy/experiment',
  loop: 'dashjs-sammy/loop',
  planner: 'dashjs-sammy/planner',
};

/** The entry points whose source is `src/NAME.ts`. The others are `src/NAME/index.ts`. */
const FILES = new Set(['index', 'hls', 'planner', 'shaka']);

/**
 * Writes the API reference of the published package as Markdown, with TypeDoc. Throws an Error if TypeDoc finds
 * nothing.
 */
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
      join(ROOT, 'src', FILES.has(name) ? `${name}.ts` : `${name}/index.ts`),
    ),
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(ROOT, 'tsconfig.json'),
    name: 'API',
    readme: 'none',
    // List functions first: readers look for attachSammy.
    groupOrder: ['Functions', 'Classes', 'Variables', '*'],
    sortEntryPoints: false,
    disableSources: true,
    // `npm run check` compiles the sources in a separate step.
    skipErrorChecking: true,
    outputs: [{ name: 'markdown', path: out }],
    logLevel: LogLevel.Error,
    ...markdown,
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read src/; npm run check says what is wrong');
  for (const entry of project.children ?? []) entry.name = ENTRIES[entry.name] ?? entry.name;
  await app.generateOutputs(project);
  await writeFrontPage(out);
}

/** The page of the function that every user calls. */
const FIRST = 'dashjs-sammy/functions/attachSammy.md';

/** Citations of the paper's sections in the sources' comments. Citations inside code or links are not matched. */
const CITED = /(?<![`[\w])Sammy (§[\d.]+|Eq\. \d+|Algorithm \d|Appendix [A-Z])/g;
const PAPER = 'https://doi.org/10.1145/3603269.3604839';

/** Adds the function that every user calls to the top of the front page, and links the citations of the paper. */
async function writeFrontPage(out: string): Promise<void> {
  const modules = await readFile(join(out, 'index.md'), 'utf8');
  const first = await readFile(join(out, FIRST), 'utf8');
  const begun = first.replace(/^# .*$/m, '## attachSammy').replaceAll('](../', '](dashjs-sammy/');
  await writeFile(
    join(out, 'index.md'),
    modules.replace('## Modules', `${begun.replaceAll(/^## (?!attachSammy)/gm, '### ')}\n## All entries`),
  );
  for (const file of await readdir(out, { recursive: true })) {
    if (!file.endsWith('.md')) continue;
    const page = join(out, file);
    await writeFile(page, linkCitations(await readFile(page, 'utf8')));
  }
}

/** Turns the citations of the paper's sections in a text into links to the paper. */
export const linkCitations = (markdown: string): string =>
  markdown
    .split(/(```[\s\S]*?```)/)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(CITED, `[$&](${PAPER})`)))
    .join('');
