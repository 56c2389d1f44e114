import { getCurrentInstance, onBeforeUnmount, onMounted, shallowRef, watch, type ShallowRef } from 'vue';
import type { Question, Reply } from './serve.ts';

export interface Answers<Input, Answer> {
  /** The shown answers and their question. They stay until the first answer to a newer question arrives. */
  readonly shown: ShallowRef<{ readonly asked: Input; readonly answers: readonly Answer[] } | undefined>;
  readonly done: ShallowRef<boolean>;
  /** The error message for the visitor. */
  readonly error: ShallowRef<string>;
}

/** A component starts this many pixels before it scrolls into view. */
const AHEAD_PX = 200;

/**
 * The event that triggers the first question. `view`: the component scrolls into view. `change`: the visitor changes a
 * control; until then, the page shows results that were computed when the site was built.
 */
export type FirstQuestion = 'view' | 'change';

/** Asks a worker for answers whenever the input changes. The worker keeps the page responsive. */
export function useAnswers<Input, Answer>(
  asked: () => Input,
  makeWorker: () => Worker,
  first: FirstQuestion = 'view',
): Answers<Input, Answer> {
  const shown: Answers<Input, Answer>['shown'] = shallowRef();
  const done = shallowRef(first === 'change');
  const error = shallowRef('');
  let worker: Worker | undefined;
  let question: Question<Input> = { id: 0, asked: asked() };
  let answered = 0;

  const ask = (): void => {
    question = { id: question.id + 1, asked: asked() };
    done.value = false;
    worker?.postMessage(question);
  };
  const hear = ({ data }: MessageEvent<Reply<Answer>>): void => {
    if (data.id !== question.id) return;
    error.value = 'error' in data ? data.error : '';
    if ('answer' in data) {
      const before = answered === data.id ? (shown.value?.answers ?? []) : [];
      answered = data.id;
      shown.value = { asked: question.asked, answers: [...before, data.answer] };
    } else done.value = true;
  };

  const begin = (): void => {
    worker = makeWorker();
    worker.onmessage = hear;
    worker.onerror = ({ message }) => {
      error.value = message || 'this browser does not run it';
    };
    ask();
  };
  const seen = (entries: readonly IntersectionObserverEntry[], observer: IntersectionObserver): void => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    begin();
  };
  let observer: IntersectionObserver | undefined;

  watch(asked, () => {
    if (worker) ask();
    else if (first === 'change') begin();
  });
  const component = getCurrentInstance();
  onMounted(() => {
    if (first === 'change') return;
    observer = new IntersectionObserver(seen, { rootMargin: `${AHEAD_PX}px` });
    observer.observe(component?.proxy?.$el as Element);
  });
  onBeforeUnmount(() => {
    observer?.disconnect();
    worker?.terminate();
  });
  return { shown, done, error };
}
