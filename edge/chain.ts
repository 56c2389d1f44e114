import { canUseApt } from '../system/apt.ts';
import { findExecutable } from '../system/find-executable.ts';
import type { OnProgress } from '../system/progress.ts';
import { ensureWasm } from './compute/build.ts';
import type { StoreValues } from './compute/config.ts';
import { ensureViceroy, findViceroy } from './compute/install.ts';
import { startViceroy, type Viceroy } from './compute/viceroy.ts';
import {
  ensureVarnish,
  findVarnish,
  startVarnish,
  missingVarnishReason,
  type Varnish,
} from './vcl/varnish.ts';

/**
 * The deployable chain on this machine. Requests go to Varnish, which paces the client's socket, then to the compiled
 * Fastly Compute service in Viceroy, and then to an origin.
 */
export interface Chain {
  /** The address of Varnish, to which clients send their requests. */
  readonly url: string;
  readonly viceroy: Viceroy;
  readonly varnish: Varnish;
  /** The lines of the Compute service's log endpoint so far. */
  readonly log: string[];
  /** The session rows that the Compute service has written so far. */
  readonly sessions: string[];
  configure(config: StoreValues): Promise<void>;
  close(): Promise<void>;
}

/**
 * Installs and builds the chain's dependencies, which takes minutes the first time. Returns the reason if this fails,
 * or null.
 */
export async function ensureChain(onProgress: OnProgress): Promise<string | null> {
  if ((await findViceroy()) === undefined && findExecutable('cargo') === undefined) {
    return 'Viceroy is not installed, and there is no cargo to build it with; install Rust';
  }
  if (findVarnish() === undefined && !canUseApt()) {
    return 'Varnish is not installed, and only root can install it with apt; sudo apt-get install varnish varnish-modules';
  }
  try {
    await ensureVarnish(onProgress);
    await ensureViceroy(onProgress);
    await ensureWasm(onProgress);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns why the chain cannot start without an installation, or null. For tests, which install nothing. */
export async function missingChainReason(): Promise<string | null> {
  if ((await findViceroy()) === undefined)
    return 'Viceroy is not installed: npm run edge:compute -- --install';
  return missingVarnishReason();
}

export async function startChain(options: {
  readonly origin: string;
  readonly config?: StoreValues;
  readonly onProgress?: OnProgress;
}): Promise<Chain> {
  const log: string[] = [];
  const sessions: string[] = [];
  const viceroy = await startViceroy({
    ...options,
    onLog: (line) => log.push(line),
    onSession: (line) => sessions.push(line),
  });
  try {
    const varnish = await startVarnish({ ...options, backendPort: viceroy.port });
    return {
      url: varnish.url,
      viceroy,
      varnish,
      log,
      sessions,
      configure: (config) => viceroy.configure(config),
      close: () => Promise.all([varnish.close(), viceroy.close()]).then(() => undefined),
    };
  } catch (error) {
    await viceroy.close();
    throw error;
  }
}
