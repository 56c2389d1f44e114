import { posix } from 'node:path';
import type { Repository } from './repository.ts';

/** Matches `[text](target)` and `![text](target)` if the target is a path. */
const RELATIVE = /(!?)(\[[^\]]*\])\((?![a-z][a-z+.-]*:|#|\/\/)([^)\s]+)\)/g;

/**
 * Replaces a README's links to files of the repository by URLs at the tag of its version, because a registry shows the
 * README without the files. `folder` contains the README; '' is the root.
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
