import { filesNamed, type Manifest } from './published-manifest.ts';

/** What `npm pack --json` says of a tarball. */
export interface Packed {
  readonly filename: string;
  /** Of the tarball, bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** What no package has: sources, tests, pictures, source maps (the release has them), what belongs to a person or machine. */
const UNWANTED =
  /^(src|e2e|test-results|results)\/|\.test\.|\.(png|jpe?g|map|log)$|(^|\/)\.|\.tsx?(?<!\.d\.ts)$/;

/** Returns what is wrong with a tarball, a line each. */
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
