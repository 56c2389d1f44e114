import { defineAsyncComponent, type Component } from 'vue';

/** The live pieces by the names under which any page can have them; each is loaded only where it is. */
export const live: Readonly<Record<string, Component>> = {
  Neighborhood: defineAsyncComponent(() => import('./neighborhood/Neighborhood.vue')),
};
