import { join } from 'node:path';
import { commandStep, inModules, programStep, root, type Step } from './testing/step.ts';
import type { Lane } from './testing/run-stages.ts';
import { vitestStep, vitestStepApart } from './testing/vitest-step.ts';

export { root };

/** The folders whose imports are checked. */
const SOURCES = [
  ...['src', 'edge', 'media', 'emulation', 'buffers', 'analysis', 'p4', 'system', 'transport'],
  ...['demo', 'bench', 'tools', 'e2e', 'docs/.vitepress'],
];

export const formatStep = (...paths: string[]): Step =>
  programStep('format', inModules('oxfmt/bin/oxfmt'), ['--check', ...(paths.length > 0 ? paths : ['.'])]);

/** Lint, including type-aware rules, and the compiler's errors, in one pass of the native TypeScript compiler. */
export const lintStep = (...paths: string[]): Step =>
  programStep('lint and types', inModules('oxlint/bin/oxlint'), [
    ...['--type-aware', '--type-check', '--deny-warnings'],
    ...paths,
  ]);

/** Checks the import rules in .dependency-cruiser.mjs. */
export const importsStep: Step = programStep(
  'imports between packages and layers',
  inModules('dependency-cruiser/bin/dependency-cruise.mjs'),
  ['--config', '.dependency-cruiser.mjs', '--no-progress', ...SOURCES],
);

export const snippetsStep: Step = {
  name: 'snippets of the documentation',
  async run() {
    const [{ checkSnippets }, { markdownFiles }] = await Promise.all([
      import('./snippets/check-snippets.ts'),
      import('./snippets/read-snippets.ts'),
    ]);
    const { problems, checked } = checkSnippets(markdownFiles(root), root);
    for (const problem of problems) console.error(problem);
    return { passed: checked - problems.length, failed: problems.length, skipped: 0 };
  },
};

/** All steps that only read the sources. */
export const staticSteps: Lane = [
  formatStep(),
  lintStep(),
  programStep('types of the core, without DOM and Node', inModules('typescript/bin/tsc'), [
    ...['-p', join(root, 'tsconfig.core.json')],
  ]),
  importsStep,
  snippetsStep,
];

export const unitStep: Step = vitestStep('unit tests', ['--project=unit', '--project=isolated']);
/** Tests that need special features of the machine: network namespaces, root, nginx or Varnish. */
export const liveStep: Step = vitestStepApart('live tests', ['--project=live']);
/** Builds the documentation site, in about a minute. Fails if a page does not render or a link is dead. */
export const siteStep = commandStep('the site builds', 'docs:build');
/** Makes a dry-run release from the already built plug-in, in a few seconds. */
export const releaseStep = commandStep('a release, dry', 'release', '--dry', '--built');
