import type { Repository } from './repository.ts';

export type Manifest = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
};

/**
 * Fields that only this repository uses. For example, a published `prepack` would rebuild the package from files that
 * the package does not contain.
 */
const OWN = new Set(['scripts', 'devDependencies', 'workspaces', 'allowScripts']);

/** Returns the package.json to publish, with URLs and without fields for development. `folder` is '' for the root. */
export function publishedManifest(manifest: Manifest, repository: Repository, folder: string): Manifest {
  const kept = Object.entries(manifest).filter(([key]) => !OWN.has(key));
  return {
    ...(Object.fromEntries(kept) as Manifest),
    // The same name as in LICENSE.
    author: 'dashjs-sammy contributors',
    homepage: repository.homepage,
    bugs: { url: repository.issues },
    repository: {
      type: 'git',
      url: `git+${repository.url}.git`,
      ...(folder === '' ? {} : { directory: folder }),
    },
  };
}

/** Returns every file that a manifest names, such as the targets of `exports`, without the `./`. */
export function filesNamed(manifest: Manifest): string[] {
  const { main, module, types, typesVersions, exports, unpkg, jsdelivr, bin } = manifest;
  return [...new Set(strings([main, module, types, typesVersions, exports, unpkg, jsdelivr, bin]))].map(
    (path) => path.replace(/^\.\//, ''),
  );
}

const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(strings)
      : [];

/** Returns pyproject.toml with [project.urls] added. Throws an Error if the file already has this section. */
export function publishedPyproject(toml: string, { url, homepage, issues }: Repository): string {
  if (/^\[project\.urls\]/m.test(toml)) throw new Error('analysis/pyproject.toml has [project.urls] already');
  const urls = `\n[project.urls]\nHomepage = "${homepage}"\nRepository = "${url}"\nIssues = "${issues}"\n`;
  return `${toml.trimEnd()}\n${urls}`;
}
