import { defineAsyncComponent, type Component } from 'vue';

/** The gallery's components, by the names that pages use. */
export const gallery: Readonly<Record<string, Component>> = {
  PaperGallery: defineAsyncComponent(() => import('./Gallery.vue')),
  SlowLinks: defineAsyncComponent(() => import('../slow-links/SlowLinks.vue')),
  GalleryStory: defineAsyncComponent(() => import('./Story.vue')),
};
