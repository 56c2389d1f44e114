import { defineConfig } from 'vitepress';
import { nav, sidebar } from './sidebar.ts';

/** The path of the site on its server, such as /dashjs-sammy/ on GitHub Pages. */
const base = process.env.DOCS_BASE ?? '/';
/** The address of the repository; tools/release/repository.ts reads the same variable. */
const repository = process.env.REPOSITORY;

export default defineConfig({
  title: 'dashjs-sammy',
  description:
    'Video that leaves room for others: a dash.js plug-in and an edge that send each segment at a steady pace',
  lang: 'en-US',
  base,
  cleanUrls: true,
  // An empty icon: without one, browsers request /favicon.ico, which does not exist.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The theme does not show the time of the last update, and with it pages would change with every commit.
  lastUpdated: false,
  // Do not preload the chunks of the search and of other pages' interactive parts, which few visitors need.
  shouldPreload: (link, page) =>
    !link.includes('/chunks/') ||
    /\/(framework|theme)\./.test(link) ||
    (page === 'index.md' && link.includes('/Neighborhood.')),
  transformHtml: (html) => html.replaceAll(/<link rel="prefetch"[^>]*>\s*/g, ''),
  // VitePress's default light theme has colors with a contrast below 4.5 to 1 on the background of code.
  markdown: {
    languageAlias: { vcl: 'c' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  themeConfig: {
    nav,
    sidebar,
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
