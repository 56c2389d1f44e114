/** Scheme, host and port of an absolute URL; nothing if there is none. */
export const originOf = (url: string | null): string => (url ?? '').split('/', 3).join('/');
