import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claim } from './claim.ts';
import { onEndingSignal } from './ending-signals.ts';

/**
 * Runs `work` with a signal that is aborted on SIGINT, SIGTERM or SIGHUP. Exits with the signal's status once `work`
 * has cleaned up.
 */
async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let exitStatus: number | undefined;
  const stopListening = onEndingSignal((name) => {
    // Shells use the same status: 128 + the signal's number.
    exitStatus = 128 + constants.signals[name];
    controller.abort(new Error(`interrupted by ${name}`));
  });
  try {
    await work(controller.signal);
  } finally {
    stopListening();
    if (exitStatus !== undefined) process.exit(exitStatus);
  }
}

export interface BuildFolderOptions {
  /** Called when this process begins to wait for another process that is building the same folder. */
  readonly onWait?: (owner: number) => void;
  /** Whether to keep an existing `target`. Otherwise it is replaced. */
  readonly reuse: boolean;
}

/**
 * Creates the folder `target` atomically: `build` fills a hidden folder beside `target`, which is renamed when it is
 * complete. After a failure or Ctrl-C, the hidden folder is removed; after a crash, the next run removes it. The hidden
 * folder is also a lock: if two processes build the same target, one builds and the other waits.
 */
export async function buildFolder(
  target: string,
  build: (folder: string, signal: AbortSignal) => Promise<unknown>,
  options: BuildFolderOptions,
): Promise<void> {
  const wanted = resolve(target);
  if (options.reuse && existsSync(wanted)) return;
  await mkdir(dirname(wanted), { recursive: true });
  const hidden = join(dirname(wanted), `.${basename(wanted)}.partial`);
  for (let owner = await claim(hidden); owner !== 'ours'; owner = await claim(hidden)) {
    options.onWait?.(owner);
    await sleep(300);
  }
  await interruptible(async (signal) => {
    try {
      // Another process may have built it while this one waited.
      if (options.reuse && existsSync(wanted)) return;
      const content = join(hidden, 'content');
      await mkdir(content);
      await build(content, signal);
      signal.throwIfAborted();
      await rm(wanted, { recursive: true, force: true });
      await rename(content, wanted);
    } finally {
      await rm(hidden, { recursive: true, force: true });
    }
  });
}
