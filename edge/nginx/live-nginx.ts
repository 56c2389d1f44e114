/**
 * The set-up of the live tests of nginx with the module: the built module, a folder with one video file and a
 * certificate, and nginx processes that end with their test. Only `*.live.test.ts` files use this module. It tests
 * nothing itself, and does not depend on the configuration of a test.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { parseReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { selfSigned } from '../local/self-signed.ts';
import type { TimedResponse } from '../testing/timed-get.ts';
import { asanLibrary, ensureModule, missingNginxReason } from './module.ts';
import { startNginx, type Nginx, type NginxOptions } from './server.ts';

const missingReason = await missingNginxReason();

/** The content of 1.m4s, the only video file. */
export const video = Buffer.from(Uint8Array.from({ length: 4_000_000 }, (_, index) => (index * 31) >> 4));
export const VIDEO_BYTES = video.length;

/** Returns the servers of nginx's configuration. The first listens on `port`. */
type Servers = (port: number) => string;

/**
 * Starts nginx with the module for a test. The module and the folder exist only when the tests run, after `beforeAll`.
 */
export interface LiveNginx {
  /** The folder that is served: 1.m4s, cert.pem and key.pem. */
  readonly directory: string;
  /** The path of the module. */
  readonly module: string;
  /** Starts nginx with the given servers. */
  readonly start: (
    servers: Servers,
    options?: Partial<NginxOptions>,
  ) => Promise<{ readonly nginx: Nginx; readonly port: number; readonly url: string }>;
  /**
   * Starts nginx with AddressSanitizer. `complaints` returns the errors that nginx and AddressSanitizer have logged.
   */
  readonly startSanitized: (
    servers: Servers,
  ) => Promise<{ readonly url: string; readonly complaints: () => string[] }>;
  /** Returns a server for the folder. */
  readonly serveFiles: (port: number, directives?: string) => string;
}

/** Like `describe`, for tests that need nginx with the module. They are skipped, with the reason, on other machines. */
export function describeWithNginx(title: string, addTests: (live: LiveNginx) => void): void {
  describe.skipIf(missingReason !== null)(
    missingReason === null ? title : `${title}: ${missingReason}`,
    () => {
      addTests(setUp());
    },
  );
}

function setUp(): LiveNginx {
  let directory = '';
  let module = '';
  /** The same module, built with AddressSanitizer. */
  let sanitized = '';
  const started: Nginx[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'nginx-test-'));
    await writeFile(join(directory, '1.m4s'), video);
    const { cert, key } = await selfSigned();
    await writeFile(join(directory, 'cert.pem'), cert);
    await writeFile(join(directory, 'key.pem'), key);
    module = await ensureModule(() => undefined);
    sanitized = await ensureModule(() => undefined, { sanitize: true });
  }, 240_000);
  afterEach(async () => {
    await Promise.all(started.splice(0).map((nginx) => nginx.close()));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const start = async (servers: Servers, options: Partial<NginxOptions> = {}) => {
    const port = await freePort();
    const nginx = await startNginx({ module, port, http: servers(port), ...options });
    started.push(nginx);
    return { nginx, port, url: `http://127.0.0.1:${port}` };
  };
  return {
    get directory() {
      return directory;
    },
    get module() {
      return module;
    },
    start,
    async startSanitized(servers) {
      const lines: string[] = [];
      const onLine = (line: string) => void lines.push(line);
      const preload = await asanLibrary();
      return {
        ...(await start(servers, { module: sanitized, preload, onLine })),
        complaints: () =>
          lines.filter((line) => /Sanitizer|runtime error|exited on signal|\[(alert|emerg)\]/.test(line)),
      };
    },
    serveFiles: (port, directives = 'cmcd_pace on;') =>
      `server { listen 127.0.0.1:${port}; root ${directory}; ${directives} }`,
  };
}

export const readReceipt = ({ headers }: Pick<TimedResponse, 'headers'>): Receipt =>
  parseReceipt((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  });
