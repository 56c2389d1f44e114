import { errorLine } from '../../system/error-line.ts';
import { isLoadedName } from './kernel/bpf/struct-ops.ts';
import { congestionControls } from './kernel/socket-options.ts';

/** Returns the error for an unavailable address, with advice. */
export function listenError(error: unknown, host: string, port: number): Error {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return new Error(`port ${port} on ${host} is in use; choose another port`);
  if (code === 'EACCES') return new Error(`port ${port} needs root; choose one above 1023`);
  return new Error(`cannot listen on ${host}, port ${port}: ${errorLine(error)}`);
}

/** Returns the error for a congestion control that cannot be set, with a list of the available ones. */
export async function congestionControlError(
  name: string,
  refused: 'unknown' | 'needs-root' | 'failed',
): Promise<Error> {
  const { available, withoutRoot } = await congestionControls();
  if (available.length === 0) return new Error(`congestion control '${name}' can be chosen on Linux only`);
  if (refused === 'needs-root') {
    return new Error(
      `congestion control '${name}' needs root; without root choose ${withoutRoot.join(' or ')}`,
    );
  }
  const choices = available.filter((each) => !isLoadedName(each)).join(' or ');
  return new Error(`congestion control '${name}' is not in this kernel; choose ${choices}`);
}
