import { onBeforeUnmount, onMounted, shallowRef, watch, type ShallowRef } from 'vue';
import type { Question, Reply } from './serve.ts';

export interface Answers<Asked, Answer> {
  /** The question whose answers these are: until the first of a newer one is there, the older one's stay. */
  readonly shown: ShallowRef<{ readonly asked: Asked; readonly answers: readonly Answer[] } | undefined>;
  readonly done: ShallowRef<boolean>;
  /** What went wrong, for the visitor. */
  readonly error: ShallowRef<string>;
}

/** Asks a worker whenever what is asked changes; the page stays responsive meanwhile. */
export function useAnswers<Asked, Answer>(
  asked: () => Asked,
  makeWorker: () => Worker,
): Answers<Asked, Answer> {
  const shown: Answers<Asked, Answer>['shown'] = shallowRef();
  const done = shallowRef(false);
  const error = shallowRef('');
  let worker: Worker | undefined;
  let question: Question<Asked> = { id: 0, asked: asked() };
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

  onMounted(() => {
    worker = makeWorker();
    worker.onmessage = hear;
    worker.onerror = ({ message }) => {
      error.value = message || 'this browser does not run it';
    };
    watch(asked, ask, { immediate: true });
  });
  onBeforeUnmount(() => worker?.terminate());
  return { shown, done, error };
}
