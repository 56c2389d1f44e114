import { existsSync } from 'node:fs';

/** Whether a name of the form PREFIX PID or PREFIX PID-LABEL belongs to a process that has ended. */
export function ownerIsGone(name: string, prefix: string): boolean {
  const pid = name.startsWith(prefix) ? /^\d+(?=-|$)/.exec(name.slice(prefix.length))?.[0] : undefined;
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}
