/** Something with fields: what is read of it is still unknown. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The fields of `record` that have a value. */
export function withoutUndefined<T extends object>(record: {
  readonly [K in keyof T]?: T[K] | undefined;
}): T {
  const fields: Partial<T> = {};
  for (const key in record) if (record[key] !== undefined) fields[key] = record[key];
  return fields as T;
}

/** Not every application is written in TypeScript. */
export const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'function');
