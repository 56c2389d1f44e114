import { externClass } from './extern.ts';

/** Action profiles and selectors need no methods or state, because in this switch each entry holds its own action. */
export const actionProfile = externClass({ make: () => ({}), methods: {} });
