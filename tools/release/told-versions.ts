import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../steps.ts';
import type { Manifest } from './published-manifest.ts';
import type { Versions } from './versions.ts';

/** Reads a file of the repository as text. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Reads the package.json of a folder; '' is the root. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(read(join(folder, 'package.json'))) as Manifest;

/** Reads the version stated in each file, and in the tag that started the workflow. */
export function toldVersions(env: NodeJS.ProcessEnv = process.env): Versions {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
  const folders = ['', 'edge', 'emulation', 'p4'];
  const tag = env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined;
  return {
    ...Object.fromEntries(
      folders.map((folder) => [join(folder, 'package.json'), readManifest(folder).version]),
    ),
    ...Object.fromEntries(
      folders.map((folder) => [`package-lock.json, ${folder || 'root'}`, lock.packages[folder]?.version]),
    ),
    'analysis/pyproject.toml': /^version = "([^"]+)"/m.exec(read('analysis/pyproject.toml'))?.[1],
    ...(tag === undefined ? {} : { 'the tag': tag.replace(/^v/, '') }),
  };
}
