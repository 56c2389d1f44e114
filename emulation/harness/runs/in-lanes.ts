export interface InLanes<Item> {
  /** All items, in the order in which they are made. */
  readonly items: readonly Item[];
  /** Whether an item is finished. Its result appears on disk in one step, so there are no partial results. */
  readonly isMade: (item: Item) => boolean;
  /**
   * Makes an item. If the item does not exist afterwards, it was interrupted. Throws an Error if the item cannot be
   * made.
   */
  readonly make: (item: Item, signal: AbortSignal) => Promise<void>;
  /** The number of items made in parallel. */
  readonly lanes: number;
  /** When aborted, no new item begins, and items in progress must end. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
}

export interface Conducted {
  readonly done: number;
  readonly of: number;
  /** The number of finished items that this process made. */
  readonly made: number;
}

/**
 * Makes the items of a plan that do not exist yet. When an item cannot be made, waits for the items in progress to end
 * and throws the Error; finished items are kept.
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
