import type { Theme } from 'vitepress';
// The device's own fonts: no page loads any.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default { extends: DefaultTheme } satisfies Theme;
