import { useRoute, type Theme } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, watch } from 'vue';
// Use the device's own fonts, so that no page has to load fonts.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { gallery } from './gallery/index.ts';
import { live } from './live/index.ts';
import './style.css';
import './gallery/gallery.css';
import './live/live.css';

/** Scrolls the sidebar to the entry of the current page, which may be far down. */
async function showCurrentPage(): Promise<void> {
  await nextTick();
  const sidebar = document.querySelector('.VPSidebar');
  const current = sidebar?.querySelector('.VPSidebarItem.is-link.is-active');
  if (!sidebar || !current) return;
  const below = current.getBoundingClientRect().top - sidebar.getBoundingClientRect().top;
  if (below < 0 || below > sidebar.clientHeight - 80) sidebar.scrollTop += below - sidebar.clientHeight / 3;
}

export default {
  extends: DefaultTheme,
  Layout: defineComponent(() => {
    const route = useRoute();
    onMounted(() => {
      watch(() => route.path, showCurrentPage, { immediate: true, flush: 'post' });
    });
    return () => h(DefaultTheme.Layout);
  }),
  enhanceApp({ app }) {
    for (const [name, component] of Object.entries({ ...live, ...gallery })) app.component(name, component);
  },
} satisfies Theme;
