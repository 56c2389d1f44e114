import type { Theme } from 'vitepress';
// The device's own fonts: no page loads any.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { live } from './live/index.ts';
import './style.css';
import './live/live.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    for (const [name, component] of Object.entries(live)) app.component(name, component);
  },
} satisfies Theme;
