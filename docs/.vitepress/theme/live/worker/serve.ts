/** The messages between a page and its worker. `id` numbers the page's questions. */
export interface Question<Input> {
  readonly id: number;
  readonly asked: Input;
}

export type Reply<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly done: true }
  | { readonly id: number; readonly error: string };

/** The worker's global scope, of which TypeScript's DOM library knows only the page's. */
interface Scope {
  onmessage: ((event: MessageEvent<Question<never>>) => void) | null;
  postMessage(reply: Reply<unknown>): void;
}

/**
 * Answers the page's questions one after the other, each in parts. Between two parts it looks whether a newer question has
 * come, and then leaves the older one: who moves a slider waits for the last value only.
 */
export function serve(answers: (asked: never) => Iterable<unknown>): void {
  const scope = globalThis as unknown as Scope;
  let latest = -1;
  const answer = async ({ id, asked }: Question<never>): Promise<void> => {
    latest = id;
    // Newer questions that wait already are taken first.
    await aMoment();
    if (latest !== id) return;
    for (const answer of answers(asked)) {
      scope.postMessage({ id, answer });
      await aMoment();
      if (latest !== id) return;
    }
    scope.postMessage({ id, done: true });
  };
  scope.onmessage = ({ data }) => {
    answer(data).catch((error: unknown) => scope.postMessage({ id: data.id, error: formatErrorLine(error) }));
  };
}

const formatErrorLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
