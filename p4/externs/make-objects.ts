import type { Program } from '../compiler/ir.ts';
import { EXTERN_CLASSES } from './registry.ts';

/** Makes the switch's objects for a program's extern objects, by id. */
export function makeObjects({ objects }: Program): ReadonlyMap<number, object> {
  return new Map(
    objects.map((object) => {
      const extern = EXTERN_CLASSES.get(object.className);
      if (!extern) throw new Error(`a program with the extern object '${object.className}' does not compile`);
      return [object.id, extern.make(object)];
    }),
  );
}
