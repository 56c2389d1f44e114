import { externClass } from './extern.ts';

/** An action profile or selector has no methods and no state: its members are the entries' own actions here. */
export const actionProfile = externClass({ make: () => ({}), methods: {} });
