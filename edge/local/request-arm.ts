import type { RequestArm } from './response-event.ts';

const arms = new WeakMap<object, RequestArm>();

/** Records the arm that the handler has assigned to a request, for the report of its response. */
export function recordArm(request: object, { experiment, arm }: RequestArm): void {
  arms.set(request, { experiment, arm });
}

/** The arm assigned to a request of this process; null if it is not part of an experiment. */
export const getArm = (request: object): RequestArm | null => arms.get(request) ?? null;
