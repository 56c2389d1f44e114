import type { RequestArm } from './response-event.ts';

const arms = new WeakMap<object, RequestArm>();

/** Notes the arm that the handler has given a request, for the report of its response. */
export function noteArm(request: object, { experiment, arm }: RequestArm): void {
  arms.set(request, { experiment, arm });
}

/** The arm that a request to this process was given; null where it is in no experiment. */
export const armOf = (request: object): RequestArm | null => arms.get(request) ?? null;
