import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOwnFolder, startProgram } from '../../system/background-program.ts';
import { freePort } from '../../system/free-port.ts';
import type { OnProgress } from '../../system/progress.ts';
import { ensureWasm } from './build.ts';
import { CONFIG_STORE, type StoreValues } from './config.ts';
import { ensureViceroy } from './install.ts';
import { LOG_ENDPOINT, SESSIONS_ENDPOINT } from './log-line.ts';

export interface ViceroyOptions {
  /** The URL of the content, used for the backend and for the key `origin`. */
  readonly origin: string;
  /** The port to listen on. The default is a free port. */
  readonly port?: number;
  readonly config?: StoreValues;
  /** False for a service without a linked config store. */
  readonly linkStore?: boolean;
  /** Called with each line that the service writes to its log endpoint. */
  readonly onLog?: (line: string) => void;
  /** Called with each session row that the service writes to its second log endpoint. */
  readonly onSession?: (line: string) => void;
  readonly onProgress?: OnProgress;
  /** The compiled module to run. The default is the service. */
  readonly wasm?: string;
}

export interface Viceroy {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** The config store, as a JSON file that the service rereads for every request. */
  readonly configFile: string;
  /** Replaces the values of the config store, without a restart. */
  configure(config: StoreValues): Promise<void>;
  close(): Promise<void>;
}

/** Serves the compiled Compute service on loopback. Builds and installs what is missing. */
export async function startViceroy(options: ViceroyOptions): Promise<Viceroy> {
  const { origin, config = {}, onLog, onSession, onProgress = () => undefined } = options;
  const wasm = options.wasm ?? (await ensureWasm(onProgress));
  const viceroy = await ensureViceroy(onProgress);
  const port = options.port ?? (await freePort());
  return inOwnFolder('viceroy', async (folder) => {
    const configFile = join(folder, 'config.json');
    const configure = async (values: StoreValues): Promise<void> => {
      // Replace the file atomically, so that no request reads a partial file.
      await writeFile(`${configFile}.new`, JSON.stringify({ origin, ...values }, null, 2));
      await rename(`${configFile}.new`, configFile);
    };
    await configure(config);
    const manifest = join(folder, 'fastly.toml');
    await writeFile(
      manifest,
      localManifest(new URL(origin).origin, options.linkStore === false ? null : configFile),
    );
    const args = ['serve', '-C', manifest, '--addr', `127.0.0.1:${port}`, wasm];
    const listeners = [
      [`${LOG_ENDPOINT} :: `, onLog],
      [`${SESSIONS_ENDPOINT} :: `, onSession],
    ] as const;
    const program = await startProgram(viceroy, args, {
      port,
      onLine: (line) => {
        for (const [prefix, tell] of listeners)
          if (line.startsWith(prefix)) tell?.(line.slice(prefix.length));
      },
    });
    return { ...program, port, url: `http://127.0.0.1:${port}`, configFile, configure };
  });
}

/**
 * Returns the part of fastly.toml below [local_server] for an origin and a config store. JSON.stringify suffices,
 * because TOML quotes strings like JSON.
 */
const localManifest = (origin: string, configFile: string | null): string => `
manifest_version = 3
name = "dashjs-sammy"
language = "javascript"
[local_server.backends.origin]
url = ${JSON.stringify(origin)}
first_byte_timeout_ms = 15000
between_bytes_timeout_ms = 10000
${
  configFile === null
    ? ''
    : `[local_server.config_stores.${CONFIG_STORE}]
format = "json"
file = ${JSON.stringify(configFile)}`
}
`;
