import { posix } from 'node:path';
import type { Repository } from './repository.ts';

/** `[text](target)` and `![text](target)` whose target is a path. */
const RELATIVE = /(!?)(\[[^\]]*\])\((?![a-z][a-z+.-]*:|#|\/\/)([^)\s]+)\)/g;

/**
 * A README's links to files of the repository as addresses, at the tag of its version: a registry shows the text without
 * the files. `folder` is where the README stands, '' for the root.
 */
export const absoluteLinks = (
  markdown: string,
  { url }: Repository,
  folder: string,
  version: string,
): string =>
  markdown.replaceAll(RELATIVE, (_, picture: string, text: string, target: string) => {
    const path = posix.join(folder, target);
    return `${picture}${text}(${url}/${picture ? 'raw' : 'blob'}/v${version}/${path})`;
  });
