/**
 * The environment variable with the URL under which the project is published. No committed file names a host or an
 * owner, so a fork can publish under its own name. A GitHub workflow sets the variable to its own repository, which
 * npm's provenance requires.
 */
export const VARIABLE = 'REPOSITORY';
/** The URL used by a dry run if the variable is not set. */
export const PLACEHOLDER = 'https://github.com/OWNER/dashjs-sammy';

export interface Repository {
  /** The URL of the repository, without a slash or `.git` at its end. */
  readonly url: string;
  /** The site of the documentation. */
  readonly homepage: string;
  readonly issues: string;
}

/** Parses the variable's value. Throws an Error if it is not the URL of a repository. */
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
