import { execFileSync } from 'node:child_process';

/** Runs iproute2's `ip`, in `namespace` if given. If the command fails, throws an Error that contains the command. */
export function ip(namespace: string | undefined, ...args: string[]): void {
  const inside = namespace === undefined ? args : ['-n', namespace, ...args];
  try {
    execFileSync('ip', inside, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`ip ${inside.join(' ')} failed: ${said || 'is iproute2 installed?'}`, { cause: error });
  }
}
