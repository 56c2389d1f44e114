import { argument, rt, run } from './extern.ts';
import type { ExternFunction } from './extern.ts';

export const logMsg: ExternFunction = {
  write(b, e) {
    const data = e.args[1]?.value;
    const values = data ? (data.op === 'aggregate' ? b.expressions(data.parts) : [b.expression(data)]) : [];
    return run(b, rt('log', b.expression(argument(e, 0)), `[${values.join(', ')}]`));
  },
};
