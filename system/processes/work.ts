/**
 * A kind of work for a pool of processes (`ProcessPool`). `program` is the module that runs the tasks (`serveWork`).
 * `Shared` is the input that all tasks share. Inputs, tasks and results are plain data.
 */
export interface Work<Shared, Task, Result> {
  /** The owner of the processes in error messages, such as `the simulator`. */
  readonly of: string;
  readonly program: URL;
  /** V8 options of the processes. */
  readonly options?: readonly string[];
  /**
   * The effect of an ending signal on the processes. `kept`: they ignore it, until the pool's owner closes or aborts
   * the pool. `ended`: they end at once. Default: `kept`.
   */
  readonly atSignal?: 'kept' | 'ended';
  /** Phantom type that links the pool's and the program's types, so that a mismatch does not compile. Never set. */
  readonly does?: (shared: Shared, task: Task) => Result;
}

/** Defines a kind of work with its types: `defineWork<Shared, Task, Result>({...})`. */
export const defineWork = <Shared, Task, Result>(
  work: Omit<Work<Shared, Task, Result>, 'does'>,
): Work<Shared, Task, Result> => work;

/** A message from the pool to a process: the shared input once, then one task at a time. */
export type WorkMessage<Shared, Task> = { readonly shared: Shared } | { readonly task: Task };

export type Answered<Result> = { readonly result: Result } | { readonly error: string };
