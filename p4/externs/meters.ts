import { isBits, typeKey, underlying } from '../compiler/check/types.ts';
import type { Body } from '../compiler/generate/body.ts';
import { castCode } from '../compiler/generate/operators.ts';
import { representation } from '../compiler/generate/representation.ts';
import { DirectMeter, Meter } from '../switch/objects.ts';
import { argument, constant, externClass, number, store } from './extern.ts';
import type { MethodCall } from './extern.ts';

/** MeterType.bytes in v1model.p4. */
const BYTES = 1;

/** Assigns a meter's color, 0 to 2, to the program's variable. */
function color(b: Body, e: MethodCall, at: number, code: string): string {
  const target = e.args[at]?.value;
  if (target && !isBits(underlying(target.type)))
    b.module.diagnostics.error(target.span, `a meter's color is a bit<>, not ${typeKey(target.type)}`);
  if (!target) return store(b, e, at, code);
  const big = representation(target.type) === 'bigint';
  return store(b, e, at, big ? `BigInt(${code})` : castCode(code, { kind: 'bit', width: 2 }, target.type));
}

export const meter = externClass({
  make: (object) => new Meter(constant(object, 0), constant(object, 1) === BYTES),
  methods: {
    execute_meter(b, e, call) {
      const index = number(b, argument(e, 0));
      return color(b, e, 1, call('execute', index, '$rt.packetLength', '$rt.now'));
    },
  },
});

export const directMeter = externClass({
  make: (object) => new DirectMeter(constant(object, 0) === BYTES),
  methods: {
    read: (b, e, call) => color(b, e, 0, call('read', '$rt.packetLength', '$rt.now')),
  },
});
