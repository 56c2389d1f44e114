/**
 * Gives an object's own or inherited properties other values or accessors. Returns a function that restores the object's own ones,
 * and makes the inherited ones visible again.
 */
export function overrideProperties(target: object, properties: PropertyDescriptorMap): () => void {
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(target);
  for (const name of Object.keys(properties))
    Object.defineProperty(target, name, { configurable: true, ...properties[name] });
  return () => {
    for (const name of Object.keys(properties)) {
      Reflect.deleteProperty(target, name);
      if (own[name]) Object.defineProperty(target, name, own[name]);
    }
  };
}
