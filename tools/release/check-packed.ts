import { filesNamed, type Manifest } from './published-manifest.ts';

/** A tarball, described by `npm pack --json`. */
export interface Packed {
  readonly filename: string;
  /** The size of the tarball, bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Files that no package may contain: sources, tests, images, source maps (published with the release), logs, and
 * hidden files.
 */
const UNWANTED =
  /^(src|e2e|test-results|results)\/|\.test\.|\.(png|jpe?g|map|log)$|(^|\/)\.|\.tsx?(?<!\.d\.ts)$/;

/** Returns the problems of a tarball, one per line. */
export function packedProblems(manifest: Manifest, packed: Packed, most_bytes: number): string[] {
  const { name } = manifest;
  const paths = packed.files.map(({ path }) => path);
  const missing = [...filesNamed(manifest), 'README.md', 'LICENSE'].filter((path) => !paths.includes(path));
  const unwanted = paths.filter((path) => UNWANTED.test(path));
  return [
    ...missing.map((path) => `${name}: ${path} is not in the tarball`),
    ...unwanted.map((path) => `${name}: ${path} does not belong into the tarball`),
    ...(packed.size > most_bytes
      ? [`${name}: the tarball has ${packed.size} bytes, and at most ${most_bytes} are allowed`]
      : []),
  ];
}
