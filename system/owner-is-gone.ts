import { existsSync } from 'node:fs';

/**
 * Whether a name that consists of `prefix`, a process id, and optionally `-LABEL` belongs to a process that has ended.
 */
export function ownerIsGone(name: string, prefix: string): boolean {
  const pid = name.startsWith(prefix) ? /^\d+(?=-|$)/.exec(name.slice(prefix.length))?.[0] : undefined;
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}
