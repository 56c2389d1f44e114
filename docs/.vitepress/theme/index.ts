import type { Theme } from 'vitepress';
// The device's own fonts: no page loads any.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { gallery } from './gallery/index.ts';
import { live } from './live/index.ts';
import './style.css';
import './gallery/gallery.css';
import './live/live.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    for (const [name, component] of Object.entries({ ...live, ...gallery })) app.component(name, component);
  },
} satisfies Theme;
