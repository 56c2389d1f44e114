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
    // The table counts by itself whenever an entry is hit, as BMv2 does; the call says only that it may.
    count: () => '',
  },
});
