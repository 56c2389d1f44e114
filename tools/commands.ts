/**
 * The program of an npm script. `main` receives the arguments after `npm run NAME --`. It either throws an Error whose
 * one-line message says what is wrong and how to fix it, or sets `process.exitCode` for other failures.
 */
export interface Command {
  readonly help: string;
  /** Returns the help for these arguments, if it depends on them. Undefined if the arguments select no special help. */
  helpFor?(args: readonly string[]): string | undefined;
  /** The actions of a command whose first argument names an action. Each action is a command with its own options. */
  readonly actions?: Readonly<Record<string, Pick<Listed, 'load'>>>;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  /** The command's page on the site, as a path below docs/. Error messages name the page. */
  readonly page: string;
  /** Pages for certain first arguments, which replace `page`. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Whether the command takes no arguments: a typo is then rejected before minutes of work. */
  readonly hasNoArguments?: true;
  /** Loaded on demand, so that each command needs only its own dependencies. */
  load(): Promise<Command>;
}

/** Returns the output of `--help`: that of an action if the arguments name one, otherwise the command's. */
export async function formatHelp(name: string, args: readonly string[] = []): Promise<string> {
  const [action = '', ...others] = args;
  const command = await commands[name]?.load();
  const actions = command?.actions ?? {};
  const page = Object.hasOwn(actions, action) ? await actions[action]?.load() : command;
  return (page?.helpFor?.(others) ?? page?.help ?? '').trim();
}

/** The programs of the commands in command-list.mjs, which has their order and descriptions. */
export const commands: Record<string, Listed> = {
  start: {
    page: 'guide/demo.md',
    load: () => import('../demo/command.ts'),
  },
  edge: {
    page: 'edge/node.md',
    // `check` works with any edge.
    pages: { check: 'edge/index.md#is-it-pacing' },
    load: () => import('../edge/local/command.ts'),
  },
  'edge:nginx': {
    page: 'edge/nginx.md',
    load: () => import('../edge/nginx/command.ts'),
  },
  'edge:compute': {
    page: 'edge/fastly.md',
    load: () => import('../edge/compute/command.ts'),
  },
  media: {
    page: 'guide/demo.md',
    load: () => import('../media/command.ts'),
  },
  lab: {
    page: 'lab/index.md',
    load: () => import('../emulation/cli/command.ts'),
  },
  experiment: {
    page: 'experiments/verdict.md',
    load: () => import('../analysis/command.ts'),
  },
  'demo:experiment': {
    page: 'experiments/verdict.md',
    load: () => import('../demo/experiment/command.ts'),
  },
  learn: {
    page: 'lab/predictor.md',
    load: () => import('../analysis/learn.ts'),
  },
  transport: {
    page: 'lab/indigo.md',
    load: () => import('./transport/command.ts'),
  },
  p4: {
    page: 'p4/index.md',
    load: () => import('../p4/command.ts'),
  },
  doctor: {
    page: 'lab/links.md',
    hasNoArguments: true,
    load: () => import('./doctor.ts'),
  },
  check: {
    page: 'internals/testing.md',
    load: () => import('./check.ts'),
  },
  test: {
    page: 'internals/testing.md',
    hasNoArguments: true,
    load: () => import('./test.ts'),
  },
  'test:all': {
    page: 'internals/testing.md',
    load: () => import('./test-all.ts'),
  },
  build: {
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('./build.ts'),
  },
  release: {
    page: 'contributing.md',
    load: () => import('./release/command.ts'),
  },
  fuzz: {
    page: 'internals/testing.md',
    load: () => import('./fuzz.ts'),
  },
  bench: {
    page: 'internals/testing.md',
    load: () => import('../bench/main.ts'),
  },
  docs: {
    page: 'contributing.md',
    load: () => import('./docs/serve.ts'),
  },
  'docs:build': {
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('./docs/build.ts'),
  },
  'demo:picture': {
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('../demo/picture.ts'),
  },
  help: {
    page: 'reference/commands.md',
    hasNoArguments: true,
    load: () => import('./help.ts'),
  },
};
