import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOwnFolder, startProgram } from '../../system/background-program.ts';
import { freePort } from '../../system/free-port.ts';
import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';

export const VARNISH_PACKAGES = ['varnish', 'varnish-modules'] as const;
export const VARNISH_VCL = fileURLToPath(new URL('varnish.vcl', import.meta.url));

/**
 * Parameters with which Varnish serves requests with far too long CMCD instead of rejecting such requests. Varnish's
 * defaults, 8 kB per line and 32 kB per request, suffice for players.
 */
const LARGE_LIMITS = {
  http_req_hdr_len: '128k',
  http_req_size: '256k',
  workspace_client: '1m',
  workspace_backend: '1m',
} as const;

/** Finds Varnish, or installs it with apt if possible. Throws an Error with installation instructions. */
export async function ensureVarnish(onProgress: OnProgress): Promise<string> {
  const found = findVarnish();
  if (found !== undefined) return found;
  if (canUseApt()) await ensureAptPackages(VARNISH_PACKAGES, onProgress);
  const installed = findVarnish();
  if (installed === undefined)
    throw new Error(`Varnish is not installed; ${aptCommand(...VARNISH_PACKAGES)}`);
  return installed;
}

/**
 * Finds Varnish. Also looks in /usr/sbin, where Debian installs Varnish and which a user's PATH often does not include.
 */
export const findVarnish = (): string | undefined =>
  findExecutable('varnishd') ?? findExecutable('/usr/sbin/varnishd');

/** Returns why Varnish cannot run without an installation, or null. For tests, which install nothing. */
export const missingVarnishReason = (): string | null =>
  findVarnish() === undefined ? 'Varnish is not installed: npm run edge:compute -- --install, as root' : null;

export interface Varnish {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** The name of the instance, for `varnishncsa -n`. */
  readonly instance: string;
  close(): Promise<void>;
}

/** Runs varnish.vcl on loopback in front of the policy on `backendPort`. */
export async function startVarnish(options: {
  readonly backendPort: number;
  /**
   * The origin to use while the policy is unreachable: http://HOST[:PORT]. By default, there is none. Varnish does not
   * support https.
   */
  readonly origin?: string;
  /** The port to listen on. The default is a free port. */
  readonly port?: number;
  /** The text of the VCL. The default is varnish.vcl with this backend. */
  readonly vcl?: string;
  /** The path of an additional Unix socket on which Varnish listens. */
  readonly unixSocket?: string;
  /** Whether Varnish expects the PROXY protocol, as behind a program that terminates TLS. */
  readonly behindProxy?: boolean;
  /** Varnish's parameters by name. The default is LARGE_LIMITS. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly onProgress?: OnProgress;
}): Promise<Varnish> {
  const varnishd = await ensureVarnish(options.onProgress ?? (() => undefined));
  const vcl = options.vcl ?? (await readFile(VARNISH_VCL, 'utf8'));
  const port = options.port ?? (await freePort());
  return inOwnFolder('varnish', async (folder) => {
    const file = join(folder, 'varnish.vcl');
    await writeFile(file, withBackends(vcl, options.backendPort, options.origin));
    // Enables HTTP/2.
    const http2 = ['-p', 'feature=+http2'];
    const parameters = Object.entries(options.parameters ?? LARGE_LIMITS).flatMap(([name, value]) => [
      '-p',
      `${name}=${value}`,
    ]);
    const listen = `127.0.0.1:${port}${options.behindProxy ? ',PROXY' : ''}`;
    // `-j none`, because a jail would need its own user and an accessible folder. `-F` keeps Varnish in the foreground.
    const unix = options.unixSocket === undefined ? [] : ['-a', options.unixSocket];
    const instance = join(folder, 'work');
    const args = ['-F', '-j', 'none', '-n', instance, '-a', listen, ...unix, '-f', file];
    const program = await startProgram(varnishd, [...args, '-s', 'malloc,64m', ...http2, ...parameters], {
      port,
    });
    return { ...program, port, instance, url: `http://127.0.0.1:${port}` };
  });
}

function withBackends(vcl: string, policyPort: number, origin: string | undefined): string {
  const { protocol, hostname, port } = new URL(origin ?? 'none:');
  const backend = protocol === 'http:' ? `{ .host = "${hostname}"; .port = "${port || 80}"; }` : 'none;';
  return vcl
    .replace(/\.port = "\d+"/, `.port = "${policyPort}"`)
    .replace(/(?<=\nbackend origin )\{[^}]*\}/, backend);
}
