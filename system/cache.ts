import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for downloads and encoded ladders that later runs reuse. Deleting it is safe: they are created again. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.DASHJS_SAMMY_CACHE) return env.DASHJS_SAMMY_CACHE;
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'dashjs-sammy');
}

const KEY_LENGTH = 12;

/** A short file name for content that is derived from `ingredients`: the beginning of their hash. */
export const cacheKey = (ingredients: unknown): string => contentHash(ingredients).slice(0, KEY_LENGTH);

/** The SHA-256 of a value. It does not depend on the order of an object's keys. */
export function contentHash(content: unknown): string {
  const sorted = (_: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(content, sorted)).digest('hex');
}
