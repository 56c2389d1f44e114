/** Whether `value` is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A copy of `record` without undefined properties. */
export function withoutUndefined<T extends object>(record: {
  readonly [K in keyof T]?: T[K] | undefined;
}): T {
  const fields: Partial<T> = {};
  for (const key in record) if (record[key] !== undefined) fields[key] = record[key];
  return fields as T;
}

/** Whether `value` has these methods. Needed for applications that are not written in TypeScript. */
export const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'function');
