/**
 * For the end of a switch over every case of a union: a case that is added to the union and forgotten in the switch does
 * not compile, because it is not `never`.
 */
export function unhandled(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
