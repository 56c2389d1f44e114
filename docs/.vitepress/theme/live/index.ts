import { defineAsyncComponent, hydrateOnInteraction, type Component } from 'vue';

/** The interactive components by the names that pages use. Only the pages with a component load its code. */
export const live: Readonly<Record<string, Component>> = {
  LiveNeighborhood: defineAsyncComponent({
    loader: () => import('./neighborhood/Neighborhood.vue'),
    // The landing page contains the rendered component, so its code is not loaded before a visitor touches a control.
    hydrate: hydrateOnInteraction(['pointerover', 'focusin', 'keydown']),
  }),
  LivePace: defineAsyncComponent(() => import('./pace/Pace.vue')),
  LiveShare: defineAsyncComponent(() => import('./share/ShareTreated.vue')),
  LiveBuffer: defineAsyncComponent(() => import('./buffer/Buffers.vue')),
  LiveBufferRules: defineAsyncComponent(() => import('./buffer/Rules.vue')),
  LiveVideoBuffer: defineAsyncComponent(() => import('./buffer/VideoBuffer.vue')),
  LiveCmcd: defineAsyncComponent(() => import('./cmcd/TryCmcd.vue')),
  LiveChooser: defineAsyncComponent(() => import('./chooser/ChoosersView.vue')),
};
