/**
 * The environment variable with the URL that the project is published at. No committed file names a host or an owner,
 * so a fork publishes under its own name. In a GitHub workflow it is the repository that runs the workflow, which
 * npm's provenance requires.
 */
export const VARIABLE = 'REPOSITORY';
/** The URL used by a dry run if the variable is not set. */
export const PLACEHOLDER = 'https://github.com/OWNER/dashjs-sammy';

export interface Repository {
  /** Without a slash or `.git` at its end. */
  readonly url: string;
  /** The site of the documentation. */
  readonly homepage: string;
  readonly issues: string;
}

/** Reads the variable's value. Throws an Error if it is no address of a repository. */
export function readRepository(value: string): Repository {
  const url = value
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const [, host = '', owner = '', name = ''] =
    /^https:\/\/([^/\s?#]+)\/([\w.-]+)\/([\w.-]+)$/.exec(url) ?? [];
  if (name === '') throw new Error(`${VARIABLE} is '${value}'; give an address such as ${PLACEHOLDER}`);
  const homepage =
    host === 'github.com' ? `https://${owner.toLowerCase()}.github.io/${name}/` : `${url}#readme`;
  return { url, homepage, issues: `${url}/issues` };
}
