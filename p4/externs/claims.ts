import type { Body } from '../compiler/generate/body.ts';
import { argument, rt } from './extern.ts';
import type { ExternCall, ExternFunction } from './extern.ts';

/** `verify`: P4_16 §13.7. */
export const verify: ExternFunction = {
  check(c, span) {
    if (c.inside !== 'state')
      c.shared.diagnostics.fail(span, "'verify' is only allowed in parsers (P4_16 §13.7)");
  },
  write(b, e) {
    const [condition = '', code = ''] = b.expressions([argument(e, 0), argument(e, 1)]);
    b.line(`if (!(${condition})) throw ${rt('reject', code)};`);
    return '';
  },
};

/** `static_assert`: the compiler evaluates it (P4_16 §19). */
export const staticAssert: ExternFunction = {
  answer(c, [condition, message], span) {
    const { diagnostics } = c.shared;
    if (condition?.value?.op !== 'bool')
      return diagnostics.fail(span, 'the assertion must be known at compile time (P4_16 §19)');
    const text = message?.value?.op === 'string' ? `: ${message.value.value}` : '';
    if (!condition.value.value) diagnostics.error(span, `the static assertion is false${text}`);
    return { ...condition.value, span };
  },
};

function claim(b: Body, e: ExternCall): string {
  const { file, start } = e.span;
  const { line } = file.position(start);
  const where = JSON.stringify(`${e.name} at ${file.path}:${line}`);
  b.line(`if (!(${b.expression(argument(e, 0))})) ${rt('failed', where)};`);
  return '';
}

export const assert: ExternFunction = { write: claim };
export const assume: ExternFunction = { write: claim };
