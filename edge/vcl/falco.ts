import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOwnFolder, startProgram } from '../../system/background-program.ts';
import { freePort } from '../../system/free-port.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { runQuietly } from '../../system/run-quietly.ts';

const FASTLY_VCL = fileURLToPath(new URL('fastly.vcl', import.meta.url));

export const FALCO_MISSING =
  'no falco, a linter and simulator of Fastly VCL: make, in a clone of github.com/ysugimoto/falco, and put it on PATH';

export const findFalco = (): string | undefined => findExecutable('falco');

export interface Falco {
  readonly port: number;
  close(): Promise<void>;
}

export interface FalcoOptions {
  readonly backendPort: number;
  /** The port of the origin to use while the policy is unreachable. The default is a port without a server. */
  readonly originPort?: number;
  /** The text of the VCL. The default is fastly.vcl. */
  readonly vcl?: string;
}

/** Lints Fastly VCL, by default fastly.vcl. If falco finds an error, throws an Error with falco's messages. */
export async function lintWithFalco(vcl?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-falco-'));
  const file = join(folder, 'main.vcl');
  try {
    await writeFile(file, await withBackends({ backendPort: 1, ...(vcl !== undefined && { vcl }) }));
    await runQuietly(findFalco() ?? 'falco', ['lint', file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds the backends to the VCL. At Fastly, backends are part of the service and not of the VCL. */
async function withBackends({ backendPort, originPort = 1, vcl }: FalcoOptions): Promise<string> {
  const backend = (name: string, port: number): string =>
    `backend ${name} { .host = "127.0.0.1"; .port = "${port}"; .ssl = false; }\n`;
  const text = vcl ?? (await readFile(FASTLY_VCL, 'utf8'));
  return backend('F_policy', backendPort) + backend('F_origin', originPort) + text;
}

/** Runs fastly.vcl in falco's simulator, as a proxy on loopback in front of the policy on `backendPort`. */
export async function startFalco(options: FalcoOptions): Promise<Falco> {
  const port = await freePort();
  return inOwnFolder('falco', async (folder) => {
    await writeFile(join(folder, 'main.vcl'), await withBackends(options));
    await writeFile(join(folder, '.falco.yml'), `simulator:\n  port: ${port}\n`);
    const program = await startProgram(findFalco() ?? 'falco', ['simulate', '--proxy', 'main.vcl'], {
      port,
      cwd: folder,
    });
    return { ...program, port };
  });
}
