/*
 * TypeScript modules as JavaScript, with all that they import but for packages in few files, so that a process of them
 * starts at once: tsx reads some hundred files for each, which is half a second here, and half a minute where a system call
 * is slow. A module that names another to be started, by a URL relative to its own, names its bundle here; with all
 * else that it finds beside itself, it finds what it finds as TypeScript.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STARTED = /new URL\(\s*'([^']+)\.ts',\s*import\.meta\.url,?\s*\)/g;

/**
 * Bundles `entry` and all modules of `rooms`, folders of the repository, that others start, into `outDir`, for processes that
 * see it as the folder `place`: the names of the files depend on it. Returns the path of `entry`'s bundle there.
 */
export async function bundle(
  entry: URL,
  rooms: readonly string[],
  outDir: string,
  place: string,
): Promise<string> {
  // Loaded here, since who runs what is bundled does not need it.
  const { build } = await import('esbuild');
  const started = (await Promise.all(rooms.map(startedIn))).flat();
  await mkdir(outDir, { recursive: true });
  // Packages are found from here.
  await symlink(join(ROOT, 'node_modules'), join(outDir, 'node_modules'));
  const path = fileURLToPath(entry);
  const { outputFiles } = await build({
    entryPoints: [...new Set([path, ...started])],
    outdir: place,
    write: false,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    plugins: [placesOf(place)],
  });
  for (const { path: file, contents } of outputFiles) {
    const written = join(outDir, relative(place, file));
    await mkdir(dirname(written), { recursive: true });
    await writeFile(written, contents);
  }
  return bundled(path, place);
}

/** The bundle of a module. */
const bundled = (path: string, outDir: string): string =>
  join(outDir, relative(ROOT, path).replace(/\.ts$/, '.js'));

/** The modules that those of a room start. */
async function startedIn(room: string): Promise<string[]> {
  const folder = join(ROOT, room);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)(node_modules|testing)\//.test(name),
  );
  return names.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(STARTED)].map(([, module]) =>
      resolve(dirname(join(folder, name)), `${module ?? ''}.ts`),
    ),
  );
}

/** Gives modules the places that they have as TypeScript, and those that they start the places of the bundles. */
const placesOf = (outDir: string): Plugin => ({
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const bundleOf = (_: string, module: string): string => {
        const place = pathToFileURL(bundled(resolve(dirname(path), `${module}.ts`), outDir));
        return `new URL(${JSON.stringify(place.href)})`;
      };
      const contents = readFileSync(path, 'utf8')
        .replace(STARTED, bundleOf)
        .replace(/(?<!['"`])import\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/(?<!['"`])import\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
});
