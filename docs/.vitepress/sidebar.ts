import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const section = (text: string, folder: string, pages: Record<string, string>): Item => ({
  text,
  base: `/${folder}/`,
  items: Object.entries(pages).map(([link, title]) => ({ text: title, link })),
});

/** Every page of the site by section; tools/docs/links.test.ts holds it against the files. */
export const sidebar: Item[] = [section('Guide', 'guide', { start: 'Start' })];

export const nav: DefaultTheme.NavItem[] = [{ text: 'Guide', link: '/guide/start', activeMatch: '^/guide/' }];
