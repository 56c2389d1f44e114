import { isObject } from '../check/types.ts';
import type { Expr } from '../ir.ts';

/** Whether the value of the expression cannot be changed by later evaluations. */
export const isFixed = (e: Expr): boolean =>
  e.op === 'int' || e.op === 'bool' || e.op === 'string' || e.op === 'object';

/** Returns the code of a value that the receiver may keep. Copies objects that belong to a variable or field. */
export function copyCode(e: Expr, code: string): string {
  const place = ['variable', 'field', 'element', 'stack', 'conditional'].includes(e.op);
  return place && isObject(e.type) ? `${code}.$copy()` : code;
}
