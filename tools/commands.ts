/**
 * The program of an npm script. `main` gets the arguments after `npm run NAME --`. It throws an Error whose message says
 * in one line what is wrong and how to mend it, or sets `process.exitCode` for other failures.
 */
export interface Command {
  readonly help: string;
  main(args: string[]): Promise<void> | void;
}

/** The commands by name, loaded on demand, so that each needs only its own dependencies. */
export const commands: Record<string, () => Promise<Command>> = {
  edge: () => import('../edge/local/command.ts'),
  'edge:compute': () => import('../edge/compute/command.ts'),
  'edge:nginx': () => import('../edge/nginx/command.ts'),
  media: () => import('../media/command.ts'),
  lab: () => import('../emulation/command.ts'),
  p4: () => import('../p4/command.ts'),
  experiment: () => import('../analysis/command.ts'),
  learn: () => import('../analysis/learn.ts'),
  start: () => import('../demo/command.ts'),
  'demo:experiment': () => import('../demo/experiment/command.ts'),
  'demo:picture': () => import('../demo/picture.ts'),
  build: () => import('./build.ts'),
  check: () => import('./check.ts'),
  test: () => import('./test.ts'),
  docs: () => import('./docs/serve.ts'),
  'docs:build': () => import('./docs/build.ts'),
  doctor: () => import('./doctor.ts'),
  bench: () => import('../bench/main.ts'),
};
