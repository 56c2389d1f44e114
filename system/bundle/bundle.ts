/*
 * Bundles TypeScript modules and their imports, except packages, into a few JavaScript files, so that processes start
 * fast. With tsx, each process reads about a hundred files, which takes half a second, or half a minute on machines
 * with slow system calls. A module may start another module by a URL relative to its own: this URL becomes the URL of
 * the other module's bundle. All other relative URLs and paths still refer to the sources.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STARTED = /new URL\(\s*'([^']+)\.ts',\s*import\.meta\.url,?\s*\)/g;

/**
 * Bundles `entry`, and every module that a module in `folders` (of the repository) starts as a process, into `outDir`.
 * `place` is the path of `outDir` for the processes that run the bundles; the bundles contain this path. Returns the
 * path of `entry`'s bundle below `place`.
 */
export async function bundle(
  entry: URL,
  folders: readonly string[],
  outDir: string,
  place: string,
): Promise<string> {
  // Imported on demand, because processes that run a bundle do not need esbuild.
  const { build } = await import('esbuild');
  const started = (await Promise.all(folders.map(startedIn))).flat();
  await mkdir(outDir, { recursive: true });
  // The bundles import packages from this folder.
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
    plugins: [findPlaces(place)],
  });
  for (const { path: file, contents } of outputFiles) {
    const written = join(outDir, relative(place, file));
    await mkdir(dirname(written), { recursive: true });
    await writeFile(written, contents);
  }
  return bundled(path, place);
}

/** The path of a module's bundle. */
const bundled = (path: string, outDir: string): string =>
  join(outDir, relative(ROOT, path).replace(/\.ts$/, '.js'));

/** The modules that modules in the folder `parent` start as processes. */
async function startedIn(parent: string): Promise<string[]> {
  const folder = join(ROOT, parent);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)(node_modules|testing)\//.test(name),
  );
  return names.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(STARTED)].map(([, module]) =>
      resolve(dirname(join(folder, name)), `${module ?? ''}.ts`),
    ),
  );
}

/**
 * Replaces `import.meta` paths by the paths of the sources, and the URLs of started modules by the URLs of their
 * bundles.
 */
const findPlaces = (outDir: string): Plugin => ({
  name: 'places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const createBundle = (_: string, module: string): string => {
        const place = pathToFileURL(bundled(resolve(dirname(path), `${module}.ts`), outDir));
        return `new URL(${JSON.stringify(place.href)})`;
      };
      const contents = readFileSync(path, 'utf8')
        .replace(STARTED, createBundle)
        .replace(/(?<!['"`])import\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/(?<!['"`])import\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
});
