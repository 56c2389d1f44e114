/** Scheme, host and port of an absolute URL; an empty string for null. */
export const getOrigin = (url: string | null): string => (url ?? '').split('/', 3).join('/');
