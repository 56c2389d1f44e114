import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { cacheFolder, cacheKey } from '../../system/cache.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/** The packages with nginx, with its sources and the flags it was configured with, and with the compiler. */
export const NGINX_PACKAGES = ['nginx', 'nginx-dev', 'gcc', 'make'] as const;

const SOURCE = fileURLToPath(new URL('module', import.meta.url));
const NAME = 'ngx_http_cmcd_pace_module.so';
/** The folder in which Debian's nginx-dev has nginx's sources, `configure` and `conf_flags`. */
const HEADERS = '/usr/share/nginx/src';

/** A user's PATH often lacks /usr/sbin, where Debian puts it. */
export const findNginx = (): string | undefined =>
  findExecutable('nginx') ?? findExecutable('/usr/sbin/nginx');

/** The reason why the module cannot be built and run now, or null. For tests, which install nothing themselves. */
export async function nginxLack(headers = HEADERS): Promise<string | null> {
  const install = 'npm run edge:nginx -- --install, as root';
  const nginx = findNginx();
  if (process.platform !== 'linux') return `${process.platform} has no SO_MAX_PACING_RATE`;
  if (nginx === undefined) return `nginx is not installed: ${install}`;
  if (!existsSync(join(headers, 'conf_flags')))
    return `nginx's headers are not in ${headers}: ${aptCommand('nginx-dev')}, or ${install}`;
  for (const tool of ['gcc', 'make'])
    if (findExecutable(tool) === undefined) return `${tool} is not installed: ${install}`;
  return differentVersions(nginx, headers);
}

/** Checks that nginx and its sources have the same version, since nginx loads only modules built for its own. */
async function differentVersions(nginx: string, headers: string): Promise<string | null> {
  const header = await readFile(join(headers, 'src/core/nginx.h'), 'utf8');
  const built = /#define NGINX_VERSION\s+"([^"]+)"/.exec(header)?.[1];
  const { version } = await describe(nginx);
  if (version === built) return null;
  return `nginx is ${version}, its headers are ${built}; install both of one version (${aptCommand('nginx', 'nginx-dev')})`;
}

/** The version of this machine's nginx, such as `1.22.1`. */
export const nginxVersion = async (): Promise<string> => (await describe(findNginx() ?? 'nginx')).version;

async function describe(nginx: string): Promise<{ version: string; text: string }> {
  // nginx prints its version on stderr.
  const text = await runQuietly('sh', ['-c', '"$0" -V 2>&1', nginx]);
  return { version: /nginx\/([\d.]+)/.exec(text)?.[1] ?? 'unknown', text };
}

/** Installs what is missing where that is possible. Returns the reason if that fails, else null. */
export async function ensureNginx(onProgress: OnProgress): Promise<string | null> {
  if ((await nginxLack()) !== null && canUseApt()) {
    try {
      await ensureAptPackages(NGINX_PACKAGES, onProgress);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return nginxLack();
}

/**
 * Returns the module for this machine's nginx; compiles it into the project's cache if it is missing there. With
 * `sanitize` it is built with AddressSanitizer and UndefinedBehaviorSanitizer, for tests.
 */
export async function ensureModule(
  onProgress: OnProgress,
  { sanitize = false, headers = HEADERS } = {},
): Promise<string> {
  const lack = await nginxLack(headers);
  if (lack !== null) throw new Error(lack);
  const folder = join(cacheFolder(), `nginx-module-${await keyOf(sanitize)}`);
  const module = join(folder, NAME);
  if (existsSync(module)) return module;

  onProgress({ task: 'Compiling the nginx module (some 20 s)' });
  // Built under a temporary name, then renamed, so that an interrupted build is not taken for a complete one.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    await compile(unfinished, headers, sanitize);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(module)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return module;
}

/** The library that must be loaded before a module that is built with `sanitize`. */
export const asanLibrary = async (): Promise<string> =>
  (await runQuietly('gcc', ['-print-file-name=libasan.so'])).trim();

async function keyOf(sanitize: boolean): Promise<string> {
  const names = (await readdir(SOURCE)).sort();
  const sources = await Promise.all(names.map((name) => readFile(join(SOURCE, name), 'utf8')));
  return cacheKey({ names, sources, sanitize, nginx: (await describe(findNginx() ?? '')).text });
}

async function compile(folder: string, headers: string, sanitize: boolean): Promise<void> {
  const [optimize, link] = sanitize
    ? ['-O1 -fsanitize=address,undefined -fno-omit-frame-pointer', '-fsanitize=address,undefined']
    : ['-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong', ''];
  // conf_flags is an array of bash: the flags that the distribution's nginx was configured with.
  const script = `
    set -e
    . ./conf_flags
    ./configure "\${NGX_CONF_FLAGS[@]}" --builddir="$0" --with-cc-opt="-Wextra -Wno-unused-parameter ${optimize}" \\
      --with-ld-opt="${link}" --add-dynamic-module="$1" >&2
    make -f "$0/Makefile" modules >&2`;
  await runQuietly('bash', ['-c', script, folder, SOURCE], { cwd: headers });
}
