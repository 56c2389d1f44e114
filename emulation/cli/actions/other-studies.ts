/** Studies whose runs depend on each other, or are not counted by cells: they plan for themselves. */
export const OTHER_STUDIES: Readonly<
  Record<string, { readonly about: string; load(): Promise<{ main(args: readonly string[]): unknown }> }>
> = {
  world: {
    about: 'many sessions on two congested links, and the truth of treating all',
    load: () => import('../../studies/world/command.ts'),
  },
  trial: {
    about: 'algorithms by lot, and one that learns every day',
    load: () => import('../../studies/trial/command.ts'),
  },
  search: { about: 'better constants, by Optuna', load: () => import('../../studies/search/command.ts') },
  'learn-rule': {
    about: 'a rule learnt by reinforcement',
    load: () => import('../../studies/learn-rule/command.ts'),
  },
};
