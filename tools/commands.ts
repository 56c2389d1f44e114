/**
 * The program of an npm script. `main` gets the arguments after `npm run NAME --`. It throws an Error whose message says
 * in one line what is wrong and how to mend it, or sets `process.exitCode` for other failures.
 */
export interface Command {
  readonly help: string;
  /** The help for these arguments, where it is not the same for all; undefined where they say nothing. */
  helpFor?(args: readonly string[]): string | undefined;
  /** Where its first argument names one of several: each is a command with words of its own. */
  readonly actions?: Readonly<Record<string, Pick<Listed, 'load'>>>;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  /** A one-line description. */
  readonly about: string;
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

/** The commands by name, in the order in which they are listed. */
export const commands: Record<string, Listed> = {
  start: {
    about: 'the demo: stock dash.js and Sammy side by side, with the traffic of each',
    page: 'guide/demo.md',
    load: () => import('../demo/command.ts'),
  },
  edge: {
    about: 'runs an edge that paces, for a folder or an origin',
    page: 'edge/node.md',
    // It asks any edge.
    pages: { check: 'edge/index.md#is-it-pacing' },
    load: () => import('../edge/local/command.ts'),
  },
  'edge:nginx': {
    about: "builds the module for this machine's nginx, and tries it",
    page: 'edge/nginx.md',
    load: () => import('../edge/nginx/command.ts'),
  },
  'edge:compute': {
    about: 'runs the edge as a Fastly Compute service in Viceroy, with Varnish in front',
    page: 'edge/fastly.md',
    load: () => import('../edge/compute/command.ts'),
  },
  media: {
    about: 'makes a DASH ladder with a sidecar from a video file',
    page: 'guide/demo.md',
    load: () => import('../media/command.ts'),
  },
  lab: {
    about: 'runs experiments on emulated links and in virtual time',
    page: 'lab/index.md',
    load: () => import('../emulation/cli/command.ts'),
  },
  experiment: {
    about: 'analyzes experiments on sessions that share links',
    page: 'experiments/verdict.md',
    load: () => import('../analysis/command.ts'),
  },
  'demo:experiment': {
    about: 'runs a whole experiment on loopback, in a few minutes',
    page: 'experiments/verdict.md',
    load: () => import('../demo/experiment/command.ts'),
  },
  learn: {
    about: 'trains a predictor of transmission times on sessions',
    page: 'lab/predictor.md',
    load: () => import('../analysis/learn.ts'),
  },
  transport: {
    about: 'runs Indigo and other QUIC congestion controllers, in virtual time and over UDP',
    page: 'lab/indigo.md',
    load: () => import('./transport/command.ts'),
  },
  p4: {
    about: 'the P4 compiler and switch',
    page: 'p4/index.md',
    load: () => import('../p4/command.ts'),
  },
  doctor: {
    about: 'lists what is missing on this machine, and how to install it',
    page: 'lab/links.md',
    hasNoArguments: true,
    load: () => import('./doctor.ts'),
  },
  check: {
    about: 'checks format, lint, types and unit tests; --changed checks only your changes',
    page: 'internals/testing.md',
    load: () => import('./check.ts'),
  },
  test: {
    about: 'runs the tests, in a real Chromium and a real Firefox',
    page: 'internals/testing.md',
    hasNoArguments: true,
    load: () => import('./test.ts'),
  },
  'test:all': {
    about: 'runs all tests: also full matrices, fuzzers, Viceroy, the virtual machine',
    page: 'internals/testing.md',
    hasNoArguments: true,
    load: () => import('./test-all.ts'),
  },
  build: {
    about: "builds the plug-in's dist/",
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('./build.ts'),
  },
  release: {
    about: 'makes and checks what a release publishes',
    page: 'contributing.md',
    load: () => import('./release/command.ts'),
  },
  fuzz: {
    about: 'sends hostile inputs to the edges and the P4 switch',
    page: 'internals/testing.md',
    load: () => import('./fuzz.ts'),
  },
  bench: {
    about: 'measures accuracy, size and speed on this machine',
    page: 'internals/testing.md',
    load: () => import('../bench/main.ts'),
  },
  docs: {
    about: 'serves the documentation, with live reload',
    page: 'contributing.md',
    load: () => import('./docs/serve.ts'),
  },
  'docs:build': {
    about: 'builds the documentation site',
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('./docs/build.ts'),
  },
  'demo:picture': {
    about: "makes the README's picture again",
    page: 'contributing.md',
    hasNoArguments: true,
    load: () => import('../demo/picture.ts'),
  },
  help: {
    about: 'prints this list',
    page: 'reference/commands.md',
    hasNoArguments: true,
    load: () => import('./help.ts'),
  },
};

/** How npm starts a command: it knows two without `run`. */
export const npmWords = (name: string): string =>
  name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
