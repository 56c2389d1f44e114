import { fromBig } from '../compiler/generate/representation.ts';
import { argument, big, rt, store } from './extern.ts';
import type { ExternFunction } from './extern.ts';

export const random: ExternFunction = {
  write(b, e) {
    const [low, high] = [big(b, argument(e, 1)), big(b, argument(e, 2))];
    const result = e.args[0]?.value;
    const value = rt('random', low, high);
    return store(b, e, 0, result ? fromBig(value, result.type) : value);
  },
};
