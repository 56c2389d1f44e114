/*
 * Bundles TypeScript modules and their imports, except packages, into a few JavaScript files, so that processes start
 * fast. With tsx, each process reads about a hundred files: half a second here, half a minute where system calls are
 * slow. A module that starts another one by a URL relative to its own gets the URL of that module's bundle. All other
 * relative URLs and paths still lead to the sources.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STARTED = /new URL\(\s*'([^']+)\.ts',\s*import\.meta\.url,?\s*\)/g;

/**
 * Bundles `entry`, and every module that modules in `rooms` (folders of the repository) start, into `outDir`. `place`
 * is the path at which the processes see `outDir`; the bundles contain that path. Returns the path of `entry`'s
 * bundle below `place`.
 */
export async function bundle(
  entry: URL,
  rooms: readonly string[],
  outDir: string,
  place: string,
): Promise<string> {
  // Imported on demand: processes that run a bundle do not need esbuild.
  const { build } = await import('esbuild');
  const started = (await Promise.all(rooms.map(startedIn))).flat();
  await mkdir(outDir, { recursive: true });
  // The bundles import packages from here.
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

/** The modules that modules in `room` start. */
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

/** Replaces `import.meta` paths by those of the source, and the URLs of started modules by those of their bundles. */
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
