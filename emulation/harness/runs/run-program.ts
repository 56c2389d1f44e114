/**
 * A program that makes one run in a process of its own: `inProcess` starts it, and its module calls `serveRun`. `Spec`
 * describes the run as plain data and links the two in the type system.
 */
export interface RunProgram<Spec> {
  readonly module: URL;
  /** Phantom type that links starter and server, so that serving another kind of run is a compile error; never set. */
  readonly runs?: (spec: Spec) => unknown;
}

export const defineRun = <Spec extends object>(module: URL): RunProgram<Spec> => ({ module });
