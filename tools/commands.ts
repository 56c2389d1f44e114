/**
 * The program of an npm script. `main` gets the arguments after `npm run NAME --`. It throws an Error whose message says
 * in one line what is wrong and how to mend it, or sets `process.exitCode` for other failures.
 */
export interface Command {
  readonly help: string;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  /** What it does, in one line. */
  readonly about: string;
  /** Loaded on demand, so that each command needs only its own dependencies. */
  load(): Promise<Command>;
}

/** The commands by name, in the order in which they are listed. */
export const commands: Record<string, Listed> = {
  start: {
    about: 'the demo: a film, a paced edge, a page with live graphs',
    load: () => import('../demo/command.ts'),
  },
  edge: {
    about: 'an edge that paces, for a folder or an origin',
    load: () => import('../edge/local/command.ts'),
  },
  'edge:nginx': {
    about: "the module for this machine's nginx: build it, try it",
    load: () => import('../edge/nginx/command.ts'),
  },
  'edge:compute': {
    about: 'the edge as a Fastly Compute service, in Viceroy, with Varnish before it',
    load: () => import('../edge/compute/command.ts'),
  },
  media: {
    about: 'makes a DASH ladder with a sidecar from a film',
    load: () => import('../media/command.ts'),
  },
  lab: {
    about: 'experiments on emulated links and in virtual time',
    load: () => import('../emulation/command.ts'),
  },
  experiment: {
    about: 'a verdict from sessions that share links',
    load: () => import('../analysis/command.ts'),
  },
  'demo:experiment': {
    about: 'all of an experiment on loopback, in a few minutes',
    load: () => import('../demo/experiment/command.ts'),
  },
  learn: {
    about: 'a predictor of transmission times, from sessions',
    load: () => import('../analysis/learn.ts'),
  },
  p4: {
    about: 'the P4 compiler and switch',
    load: () => import('../p4/command.ts'),
  },
  doctor: {
    about: 'what this machine lacks, what each lack costs, and what mends it',
    load: () => import('./doctor.ts'),
  },
  check: {
    about: 'the quick gate: format, lint, types, unit tests',
    load: () => import('./check.ts'),
  },
  test: {
    about: 'everything, in a real Chromium and a real Firefox',
    load: () => import('./test.ts'),
  },
  build: {
    about: "the plug-in's dist/",
    load: () => import('./build.ts'),
  },
  release: {
    about: 'what a release publishes, made and checked',
    load: () => import('./release/command.ts'),
  },
  bench: {
    about: 'how exact, how large, how fast: measured on this machine',
    load: () => import('../bench/main.ts'),
  },
  docs: {
    about: 'the documentation, live',
    load: () => import('./docs/serve.ts'),
  },
  'docs:build': {
    about: 'the site of the documentation',
    load: () => import('./docs/build.ts'),
  },
  'demo:picture': {
    about: "the README's picture, made anew",
    load: () => import('../demo/picture.ts'),
  },
  help: {
    about: 'this list',
    load: () => import('./help.ts'),
  },
};

/** How npm starts a command: it knows two without `run`. */
export const npmWords = (name: string): string =>
  name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
