export interface InLanes<Item> {
  /** All, in the order in which they are made. */
  readonly items: readonly Item[];
  /** Whether it is finished; it is from the moment on at which it is there, so others do not count. */
  readonly isMade: (item: Item) => boolean;
  /** What is not made afterwards was cut off. Throws an Error for what cannot be made. */
  readonly make: (item: Item, signal: AbortSignal) => Promise<void>;
  /** So many at a time. */
  readonly lanes: number;
  /** When aborted, nothing new begins, and what is under way is to end. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
}

export interface Conducted {
  readonly done: number;
  readonly of: number;
  /** The number of finished ones that this process has made. */
  readonly made: number;
}

/**
 * Makes whatever of a plan is not there yet. Throws the Error of one that cannot be made, after the others that were under way
 * have ended; finished ones stay.
 */
export async function inLanes<Item>(plan: InLanes<Item>): Promise<'complete' | 'cut off'> {
  const { items, isMade, make, lanes, signal, onProgress } = plan;
  const queue = items.filter((item) => !isMade(item));
  const progress = { done: items.length - queue.length, of: items.length, made: 0 };
  onProgress({ ...progress });

  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  const lane = async () => {
    let item: Item | undefined;
    while (!stop.aborted && (item = queue.shift())) {
      await make(item, stop);
      if (!isMade(item)) return;
      progress.done += 1;
      progress.made += 1;
      onProgress({ ...progress });
    }
  };
  const working = Array.from({ length: Math.min(lanes, queue.length) }, () =>
    lane().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  await Promise.allSettled(working);
  await Promise.all(working);
  return progress.done === progress.of ? 'complete' : 'cut off';
}
