import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../../system/background-program.ts';
import { freePort } from '../../system/free-port.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { runQuietly } from '../../system/run-quietly.ts';

const FASTLY_VCL = fileURLToPath(new URL('fastly.vcl', import.meta.url));

export const FALCO_MISSING =
  'falco, a public linter and simulator of Fastly VCL, is not on PATH: github.com/ysugimoto/falco';

export const findFalco = (): string | undefined => findExecutable('falco');

export interface Falco {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws an Error with what falco says when it finds a fault in fastly.vcl. */
export async function lintWithFalco(): Promise<void> {
  await runQuietly(findFalco() ?? 'falco', ['lint', FASTLY_VCL]);
}

/** Runs fastly.vcl in falco's simulator, as a proxy on loopback before the policy on `backendPort`. */
export async function startFalco({ backendPort }: { readonly backendPort: number }): Promise<Falco> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-falco-'));
  const port = await freePort();
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true });
  // At Fastly the backend belongs to the service, not to its VCL.
  const backend = `backend policy { .host = "127.0.0.1"; .port = "${backendPort}"; .ssl = false; }\n`;
  try {
    await writeFile(join(folder, 'main.vcl'), backend + (await readFile(FASTLY_VCL, 'utf8')));
    await writeFile(join(folder, '.falco.yml'), `simulator:\n  port: ${port}\n`);
    const program = await startProgram(findFalco() ?? 'falco', ['simulate', '--proxy', 'main.vcl'], {
      port,
      cwd: folder,
    });
    return {
      port,
      async close() {
        await program.close();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}
