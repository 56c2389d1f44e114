/* Generates calls of externs, and the lines that connect a program's objects to the switch's. */
import type { Body } from '../compiler/generate/body.ts';
import { hasEffects } from '../compiler/generate/places.ts';
import type { ExternObject } from '../compiler/ir.ts';
import { rt } from './extern.ts';
import type { ExternCall, MethodCall } from './extern.ts';
import { EXTERN_CLASSES, EXTERN_FUNCTIONS } from './registry.ts';

const USER_EXTERN = 'P4_16 §7.2.10: an extern is what the architecture provides';

/**
 * Rejects named arguments in another order if evaluating them has effects: the generated code evaluates arguments in
 * parameter order.
 */
function requireParameterOrder(b: Body, e: ExternCall | MethodCall): void {
  const ordered = e.args.every(({ place = 0 }, at) => place === at);
  if (!ordered && e.args.some(({ value }) => value && hasEffects(value)))
    b.module.diagnostics.refuse(e.span, `calls in named arguments of '${e.name}' out of order`, 'P4_16 §6.8');
}

export function externCall(b: Body, e: ExternCall): string {
  const extern = EXTERN_FUNCTIONS.get(e.name);
  if (!extern || !('write' in extern))
    return b.module.diagnostics.refuse(e.span, `the extern function '${e.name}'`, USER_EXTERN);
  requireParameterOrder(b, e);
  return extern.write(b, e);
}

const objectName = ({ id }: ExternObject): string => `object$${id}`;
const methodCaller =
  (object: ExternObject) =>
  (method: string, ...args: string[]): string =>
    `${objectName(object)}.${method}(${args.join(', ')})`;

export function methodCall(b: Body, e: MethodCall): string {
  const { className } = e.object;
  const methods = EXTERN_CLASSES.get(className)?.methods ?? {};
  const write = Object.hasOwn(methods, e.name) ? methods[e.name] : undefined;
  if (!write)
    return b.module.diagnostics.refuse(e.span, `the extern method '${className}.${e.name}'`, USER_EXTERN);
  requireParameterOrder(b, e);
  return write(b, e, methodCaller(e.object));
}

export function objectLines(b: Body): void {
  for (const object of b.module.program.objects) {
    const extern = EXTERN_CLASSES.get(object.className);
    if (!extern) {
      b.module.diagnostics.unsupported(undefined, `the extern object '${object.className}'`, USER_EXTERN);
      continue;
    }
    b.line(`const ${objectName(object)} = ${rt('object', String(object.id))};`);
    extern.begin?.(b, object, methodCaller(object));
  }
}
