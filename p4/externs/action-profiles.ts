import { externClass } from './extern.ts';

/** Action profiles and selectors need no methods or state: here, entries hold their actions themselves. */
export const actionProfile = externClass({ make: () => ({}), methods: {} });
