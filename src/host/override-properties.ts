/**
 * Overrides an object's own or inherited properties. Returns a function that restores the own properties and removes
 * the overrides of inherited properties.
 */
export function overrideProperties(target: object, properties: PropertyDescriptorMap): () => void {
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(target);
  for (const name of Object.keys(properties))
    Object.defineProperty(target, name, { configurable: true, enumerable: name in own, ...properties[name] });
  return () => {
    for (const name of Object.keys(properties)) {
      Reflect.deleteProperty(target, name);
      if (own[name]) Object.defineProperty(target, name, own[name]);
    }
  };
}

/** Overrides methods like `overrideProperties`. Other code can assign other methods. */
export const overrideMethods = (target: object, methods: object): (() => void) =>
  overrideProperties(
    target,
    Object.fromEntries(
      Object.entries(methods).map(([name, value]) => [
        name,
        { value: value as unknown, writable: true, enumerable: true },
      ]),
    ),
  );
