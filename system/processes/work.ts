/**
 * A kind of work for a pool of processes (`ProcessPool`). `program` is the module that serves it (`serveWork`).
 * Courses, tasks and results are plain data.
 */
export interface Work<Course, Task, Result> {
  /** The owner of the process in error messages, such as `the simulator`. */
  readonly of: string;
  readonly program: URL;
  /** V8 options of the processes. */
  readonly options?: readonly string[];
  /**
   * The effect of an ending signal on the processes: `kept` ignores it until the pool's owner closes or aborts the
   * pool; `ended` ends them at once. Default: `kept`.
   */
  readonly atSignal?: 'kept' | 'ended';
  /** Phantom type that links caller and process, so that another work's program does not compile; never set. */
  readonly does?: (course: Course, task: Task) => Result;
}

/** Names the types of a work: `defineWork<Course, Task, Result>({...})`. */
export const defineWork = <Course, Task, Result>(
  work: Omit<Work<Course, Task, Result>, 'does'>,
): Work<Course, Task, Result> => work;

/** A message from the pool to a process: the course once, then one task at a time. */
export type WorkMessage<Course, Task> = { readonly course: Course } | { readonly task: Task };

export type Answered<Result> = { readonly result: Result } | { readonly error: string };
