import type { RequestArm } from './response-event.ts';

const arms = new WeakMap<object, RequestArm>();

/** Records the arm that the handler has assigned to a request, for the log and metrics of the response. */
export function recordArm(request: object, { experiment, arm }: RequestArm): void {
  arms.set(request, { experiment, arm });
}

/** Returns the arm of a request of this process; null if the request is not part of an experiment. */
export const getArm = (request: object): RequestArm | null => arms.get(request) ?? null;
