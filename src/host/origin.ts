/** Whether a URL is of another scheme than HTTP's: `blob:`, `data:`, an application's own. */
export const isForeign = (url: string): boolean => /^(?!https?:)[a-z][\w+.-]*:/i.test(url);

/** Scheme, host and port of an absolute URL; nothing if there is none. */
export const originOf = (url: string | null): string => (url ?? '').split('/', 3).join('/');
