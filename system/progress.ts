/** The progress of a long job. */
export interface Progress {
  readonly task: string;
  /** The share of the job that is done, 0 to 1; absent if unknown. */
  readonly fraction?: number;
  /** The share of the job that an earlier process has done, 0 to 1; 0 by default. */
  readonly doneBefore?: number;
  /** Whether the line stays on the terminal when the next one is printed. */
  readonly lasting?: true;
}

export type OnProgress = (progress: Progress) => void;

/** Formats a duration of `s` seconds: `18 s`, `7 min`. */
export const durationText = (s: number): string =>
  s < 90 ? `${Math.max(1, Math.round(s))} s` : `${Math.round(s / 60)} min`;

/**
 * Formats a line such as `Encoding 5 rungs ... 43%, about 18 s left`. `elapsed_s` is the time since this process began
 * the job.
 */
export function progressLine(
  { task, fraction, doneBefore = 0, lasting }: Progress,
  elapsed_s: number,
): string {
  if (lasting) return task;
  if (fraction === undefined) return `${task} ...`;
  const percent = `${task} ... ${Math.round(fraction * 100)}%`;
  // Show no estimate at first, because it would be too rough.
  const done = fraction - doneBefore;
  if (done < 0.02 || elapsed_s < 1 || fraction >= 1) return percent;
  return `${percent}, about ${durationText((elapsed_s * (1 - fraction)) / done)} left`;
}

/** Updates one line of a terminal. If there is no terminal, prints a line for each task and each quarter of a task. */
export function progressPrinter(stream: NodeJS.WriteStream = process.stderr): OnProgress & { end(): void } {
  let startedAt_ms: number | undefined;
  let milestone = '';
  let open = false;
  const print = (progress: Progress): void => {
    if (progress.fraction !== undefined) startedAt_ms ??= performance.now();
    const elapsed_s = startedAt_ms === undefined ? 0 : (performance.now() - startedAt_ms) / 1000;
    const line = progressLine(progress, elapsed_s);
    if (stream.isTTY) {
      stream.write(`\r${line.slice(0, stream.columns - 1)}\x1b[K`);
      open = true;
      if (progress.lasting) end();
      return;
    }
    const next = `${progress.task} ${Math.floor((progress.fraction ?? 0) * 4)}`;
    if (next !== milestone) stream.write(`${line}\n`);
    milestone = next;
  };
  function end(): void {
    if (open) stream.write('\n');
    open = false;
  }
  return Object.assign(print, { end });
}

/** Runs `work`. Every second, reports the share that is probably done, from the time that it usually takes. */
export async function withEstimate<T>(
  task: string,
  usual_s: number,
  onProgress: OnProgress,
  work: () => Promise<T>,
): Promise<T> {
  const began_ms = performance.now();
  const report = (): void => {
    const fraction = Math.min(0.99, (performance.now() - began_ms) / 1000 / usual_s);
    onProgress({ task, fraction });
  };
  report();
  const ticking = setInterval(report, 1000);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
  }
}
