/** A page's question to its worker. `id` numbers the page's questions. */
export interface Question<Input> {
  readonly id: number;
  readonly asked: Input;
}

export type Reply<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly done: true }
  | { readonly id: number; readonly error: string };

/** The part of the worker's global scope that is used here. TypeScript's DOM library declares only the page's scope. */
interface Scope {
  onmessage: ((event: MessageEvent<Question<never>>) => void) | null;
  postMessage(reply: Reply<unknown>): void;
}

/**
 * Answers the page's questions one after the other, each in parts. Abandons a question if a newer one has arrived when
 * a part is finished, so a visitor who moves a slider waits only for the last value.
 */
export function serve(answers: (asked: never) => Iterable<unknown>): void {
  const scope = globalThis as unknown as Scope;
  let latest = -1;
  const answer = async ({ id, asked }: Question<never>): Promise<void> => {
    latest = id;
    // Let waiting newer questions arrive first.
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
