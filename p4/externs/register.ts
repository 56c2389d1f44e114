import { copyCode } from '../compiler/generate/copies.ts';
import { asNumber, valueConverter } from '../compiler/generate/representation.ts';
import { Register } from '../switch/objects.ts';
import { argument, constant, externClass, number, run, store } from './extern.ts';

export const register = externClass({
  make: (object) =>
    new Register(constant(object, 0), object.typeArgs[0] && valueConverter(object.typeArgs[0])),
  begin(b, { args, typeArgs }, call) {
    const [type] = typeArgs;
    const initial = args[1];
    if (type) run(b, call('fill', `() => ${initial ? b.expression(initial) : b.module.classes.zero(type)}`));
  },
  methods: {
    read: (b, e, call) => store(b, e, 0, call('read', number(b, argument(e, 1)))),
    write(b, e, call) {
      const [index = '', value = ''] = b.expressions([argument(e, 0), argument(e, 1)]);
      return run(b, call('write', asNumber(index, argument(e, 0).type), copyCode(argument(e, 1), value)));
    },
  },
});
