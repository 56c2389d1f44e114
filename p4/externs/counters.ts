import { Counter, DirectCounter } from '../switch/objects.ts';
import { argument, constant, externClass, number, run } from './extern.ts';

export const counter = externClass({
  make: (object) => new Counter(constant(object, 0)),
  methods: {
    count: (b, e, call) => run(b, call('count', number(b, argument(e, 0)), '$rt.packetLength')),
  },
});

export const directCounter = externClass({
  make: () => new DirectCounter(),
  methods: {
    // Generates no code: as in BMv2, the table counts every hit, whether or not its action calls `count`.
    count: () => '',
  },
});
