/**
 * Says in a README or a page that the package is published: replaces what stands between `before the first release` and
 * `since the first release`, both in comments of Markdown, by what the second comment contains.
 */
export const publishedInstall = (markdown: string): string =>
  markdown.replaceAll(
    /<!-- before the first release -->[\s\S]*?<!-- since the first release\n([\s\S]*?)\n-->/g,
    (_, since: string) => since.trim(),
  );

/** The files that tell how to install the package, relative to the root. */
export const INSTALL_PAGES = ['README.md', 'docs/guide/start.md'] as const;
