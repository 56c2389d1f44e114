import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { buildFolder } from '../../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../../system/cache.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { describeNginx, findNginx, type NginxProgram } from './program.ts';

/** The Debian packages with nginx, with its sources and configure flags, and with the compiler. */
export const NGINX_PACKAGES = ['nginx', 'nginx-dev', 'gcc', 'make'] as const;

const SOURCE = fileURLToPath(new URL('module', import.meta.url));
const NAME = 'ngx_http_cmcd_pace_module.so';
/**
 * Returns why the module cannot be built and run without an installation, or null. For tests, which install nothing.
 */
export async function missingNginxReason(nginx = findNginx()): Promise<string | null> {
  const install = 'npm run edge:nginx -- --install, as root';
  if (process.platform !== 'linux') return `${process.platform} has no SO_MAX_PACING_RATE`;
  if (nginx === undefined) return `nginx is not installed: ${install}`;
  if (!existsSync(join(nginx.headers, 'conf_flags')))
    return `nginx's headers are not in ${nginx.headers}: ${aptCommand('nginx-dev')}, or ${install}`;
  for (const tool of ['gcc', 'make'])
    if (findExecutable(tool) === undefined) return `${tool} is not installed: ${install}`;
  return differentVersions(nginx);
}

/**
 * Checks that nginx and its sources have the same version, because nginx loads only modules that were built for its own
 * version.
 */
async function differentVersions(nginx: NginxProgram): Promise<string | null> {
  const header = await readFile(join(nginx.headers, 'src/core/nginx.h'), 'utf8');
  const built = /#define NGINX_VERSION\s+"([^"]+)"/.exec(header)?.[1];
  const { version } = await describeNginx(nginx);
  if (version === built) return null;
  return `nginx is ${version}, its headers are ${built}; install both of one version (${aptCommand('nginx', 'nginx-dev')})`;
}

/** Installs missing packages if possible. Returns the reason if this fails, or null. */
export async function ensureNginx(onProgress: OnProgress): Promise<string | null> {
  if ((await missingNginxReason()) !== null && canUseApt()) {
    try {
      await ensureAptPackages(NGINX_PACKAGES, onProgress);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return missingNginxReason();
}

/**
 * Returns the path of the module for an nginx, by default this machine's. Compiles the module into the project's cache
 * if it is missing. With `sanitize`, it is built with AddressSanitizer and UndefinedBehaviorSanitizer, for tests.
 */
export async function ensureModule(
  onProgress: OnProgress,
  { sanitize = false, nginx = findNginx() }: { sanitize?: boolean; nginx?: NginxProgram | undefined } = {},
): Promise<string> {
  const missing = await missingNginxReason(nginx);
  if (nginx === undefined || missing !== null) throw new Error(missing ?? 'nginx is not installed');
  const folder = join(cacheFolder(), `nginx-module-${await moduleCacheKey(nginx, sanitize)}`);
  const build = (unfinished: string, signal: AbortSignal): Promise<void> => {
    onProgress({ task: 'Compiling the nginx module (some 15 s)' });
    return compile(unfinished, nginx.headers, sanitize, signal);
  };
  await buildFolder(folder, build, { reuse: true });
  return join(folder, NAME);
}

/** Returns the path of the library that must be preloaded for a module that is built with `sanitize`. */
export const asanLibrary = async (): Promise<string> =>
  (await runQuietly('gcc', ['-print-file-name=libasan.so'])).trim();

async function moduleCacheKey(nginx: NginxProgram, sanitize: boolean): Promise<string> {
  const names = (await readdir(SOURCE)).sort();
  const sources = await Promise.all(names.map((name) => readFile(join(SOURCE, name), 'utf8')));
  return cacheKey({
    names,
    sources,
    sanitize,
    nginx: (await describeNginx(nginx)).text,
  });
}

async function compile(
  folder: string,
  headers: string,
  sanitize: boolean,
  signal: AbortSignal,
): Promise<void> {
  const [optimize, link] = sanitize
    ? ['-O1 -fsanitize=address,undefined -fno-omit-frame-pointer', '-fsanitize=address,undefined']
    : ['-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong', ''];
  // conf_flags is a bash array: the configure flags of the distribution's nginx.
  const script = `
    set -e
    . ./conf_flags
    ./configure "\${NGX_CONF_FLAGS[@]}" --builddir="$0" --with-cc-opt="-Wextra -Wno-unused-parameter ${optimize}" \\
      --with-ld-opt="${link}" --add-dynamic-module="$1" >&2
    make -j "$(nproc)" -f "$0/Makefile" modules >&2`;
  await runQuietly('bash', ['-c', script, folder, SOURCE], { cwd: headers, signal });
}
