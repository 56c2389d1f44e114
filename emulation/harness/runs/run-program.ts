/**
 * A program that makes one run in a process of its own: `inProcess` starts it, and its module calls `serveRun`. `Spec` is what
 * to run, as plain data, and ties the two.
 */
export interface RunProgram<Spec> {
  readonly module: URL;
  /** Never there: so that another run's server does not compile. */
  readonly runs?: (spec: Spec) => unknown;
}

export const defineRun = <Spec extends object>(module: URL): RunProgram<Spec> => ({ module });
