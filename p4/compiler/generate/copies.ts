import { isObject } from '../check/types.ts';
import type { Expr } from '../ir.ts';

/** Whether nothing that is evaluated later can change what the expression gives. */
export const isFixed = (e: Expr): boolean =>
  e.op === 'int' || e.op === 'bool' || e.op === 'string' || e.op === 'object';

/** The code of an expression whose value the reader may keep: an object read from a place belongs to that place. */
export function copied(e: Expr, code: string): string {
  const place = ['variable', 'field', 'element', 'stack', 'conditional'].includes(e.op);
  return place && isObject(e.type) ? `${code}.$copy()` : code;
}
