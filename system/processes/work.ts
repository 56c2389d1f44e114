/**
 * What a kind of process does, for those who ask and those who answer: a pool of processes (`ProcessPool`) gives them tasks,
 * and `program` is a module that serves the work (`serveWork`). Courses, tasks and results are plain data.
 */
export interface Work<Course, Task, Result> {
  /** Whose process it is, in messages: `the simulator`. */
  readonly of: string;
  readonly program: URL;
  /** Options of V8. */
  readonly options?: readonly string[];
  /**
   * What a signal of the terminal does to the processes: `kept` until the asker lets go of them, who decides what is finished;
   * or `ended` at once, as the asker is himself. Kept unless said.
   */
  readonly atSignal?: 'kept' | 'ended';
  /** Never there: what ties who asks to who answers, so that another work's program does not compile. */
  readonly does?: (course: Course, task: Task) => Result;
}

/** Names the types of a work: `defineWork<Course, Task, Result>({...})`. */
export const defineWork = <Course, Task, Result>(
  work: Omit<Work<Course, Task, Result>, 'does'>,
): Work<Course, Task, Result> => work;

/** From who asks: the course, once, then one task after the other. */
export type WorkMessage<Course, Task> = { readonly course: Course } | { readonly task: Task };

export type Answered<Result> = { readonly result: Result } | { readonly error: string };
