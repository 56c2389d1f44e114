import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptCommand, canUseApt, ensureAptPackages } from './apt.ts';
import { buildFolder } from './build-folder.ts';
import { cacheFolder, cacheKey } from './cache.ts';
import { onEndingSignal } from './ending-signals.ts';
import { findExecutable } from './find-executable.ts';
import type { OnProgress } from './progress.ts';
import { runQuietly } from './run-quietly.ts';

/** The folder of the Python packages, with `pyproject.toml` and the versions of all dependencies. */
const ANALYSIS = fileURLToPath(new URL('../analysis', import.meta.url));

/** The oldest Python version that the pinned dependencies support. */
const OLDEST = [3, 11] as const;

/**
 * A Python program that prints the requirements in `pyproject.toml`, one per line, including those of the extras that
 * are passed as arguments.
 */
const REQUIREMENTS = `
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)["project"]
wanted = list(project["dependencies"])
for extra in sys.argv[2:]:
    wanted += project["optional-dependencies"][extra]
print("\\n".join(wanted))
`;

const findPython = (): string | undefined => findExecutable('python3', 'python');

/** Returns the reason why Python packages cannot be installed here, or null. */
export async function missingPythonReason(): Promise<string | null> {
  const python = findPython();
  if (python === undefined)
    return `Python ${OLDEST.join('.')} or newer is not installed: ${aptCommand('python3', 'python3-venv')}`;
  const version = await runQuietly(python, ['-c', 'import sys; print(*sys.version_info[:2])']);
  const [major = 0, minor = 0] = version.trim().split(' ').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `Python ${major}.${minor} is too old: install ${OLDEST.join('.')} or newer`;
  // Check for ensurepip, which a virtual environment needs, because Debian has it in a separate package.
  const canMake = await runQuietly(python, ['-c', 'import venv, ensurepip']).then(
    () => true,
    () => false,
  );
  return canMake ? null : `Python's venv is not installed: ${aptCommand('python3-venv')}`;
}

/**
 * Returns a Python interpreter with all dependencies of `analysis/`, including the given extras of its
 * `pyproject.toml`, in the versions of its `constraints.txt`. It belongs to a virtual environment in the project's
 * cache. If no environment there has all of them, a new one is created, which takes half a minute.
 */
export async function ensurePython(onProgress: OnProgress, extras: readonly string[] = []): Promise<string> {
  if ((await missingPythonReason()) !== null && canUseApt())
    await ensureAptPackages(['python3', 'python3-venv'], onProgress);
  const missing = await missingPythonReason();
  if (missing !== null) throw new Error(missing);
  const base = findPython() ?? 'python3';
  const name = `python-${await pythonCacheKey(base)}`;
  const folder = environmentWith(name, extras) ?? join(cacheFolder(), [name, ...extras.toSorted()].join('+'));
  await buildFolder(folder, (unfinished, signal) => make(unfinished, base, extras, onProgress, signal), {
    reuse: true,
    onWait: () => onProgress({ task: 'Waiting for another command, which is installing Python packages' }),
  });
  return programIn(folder);
}

const programIn = (folder: string): string =>
  join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/**
 * Finds a complete environment with at least these extras. The name of its folder lists them: `python-KEY+search+test`.
 */
function environmentWith(name: string, extras: readonly string[]): string | undefined {
  const made = existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : [];
  const found = made.find((folder) => {
    const [first, ...has] = folder.split('+');
    return first === name && extras.every((extra) => has.includes(extra));
  });
  return found && join(cacheFolder(), found);
}

async function pythonCacheKey(python: string): Promise<string> {
  const files = ['pyproject.toml', 'constraints.txt'].map((name) => readFile(join(ANALYSIS, name), 'utf8'));
  return cacheKey({
    files: await Promise.all(files),
    version: await runQuietly(python, ['-c', 'import sys; print(sys.version)']),
  });
}

async function make(
  folder: string,
  base: string,
  extras: readonly string[],
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const what = extras.length === 0 ? '' : ` with ${extras.join(', ')}`;
  onProgress({ task: `Installing the Python packages of analysis/${what} (about half a minute)` });
  await runQuietly(base, ['-m', 'venv', folder], { signal });
  const wanted = await runQuietly(base, ['-c', REQUIREMENTS, join(ANALYSIS, 'pyproject.toml'), ...extras]);
  const quick = ['--quiet', '--no-input', '--disable-pip-version-check', '--retries', '2', '--timeout', '20'];
  const pinned = ['--prefer-binary', '--constraint', join(ANALYSIS, 'constraints.txt')];
  const install = ['-m', 'pip', 'install', ...quick, ...pinned, ...wanted.trim().split(/\r?\n/)];
  await runQuietly(programIn(folder), install, { signal }).catch((error: unknown) => {
    throw new Error(
      `Python's packages do not install; check the network and the index that pip uses, and run the command again (${
        error instanceof Error ? error.message : String(error)
      })`,
      { cause: error },
    );
  });
}

/** The environment variables with which Python imports the packages of `analysis/` from this source tree. */
export const pythonEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: ANALYSIS,
  PYTHONDONTWRITEBYTECODE: '1',
});

/**
 * Runs a module of `analysis/` as `python -m MODULE ARGS`, with this process's input and output, in the folder `cwd`
 * (default: the working directory). Resolves to its exit status. Installs missing extras first.
 */
export async function runPython(
  module: string,
  args: readonly string[],
  { extras = [], onProgress, cwd }: { extras?: readonly string[]; onProgress: OnProgress; cwd?: string },
): Promise<number> {
  const python = await ensurePython(onProgress, extras);
  const child = spawn(python, ['-m', module, ...args], {
    stdio: 'inherit',
    env: pythonEnv(),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  const stopListening = onEndingSignal(passOn);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => {
        resolve(status ?? 1);
      });
    });
  } finally {
    stopListening();
  }
}
