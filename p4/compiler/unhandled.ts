/**
 * Ends a switch over all members of a union. If a member is missing from the switch, `value` is not `never` and the
 * call does not compile.
 */
export function unhandled(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
