/**
 * Switches a page to its text for published packages: replaces everything from the comment `before the first release`
 * to the comment `since the first release` by the content of the second comment.
 */
export const publishedInstall = (markdown: string): string =>
  markdown.replaceAll(
    /<!-- before the first release -->[\s\S]*?<!-- since the first release\n([\s\S]*?)\n-->/g,
    (_, since: string) => since.trim(),
  );

/** The files with installation instructions, relative to the root. */
export const INSTALL_PAGES = [
  'README.md',
  'docs/guide/start.md',
  'docs/guide/hls-js.md',
  'docs/guide/shaka.md',
] as const;
