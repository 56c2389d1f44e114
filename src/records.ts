/** Something with fields: what is read of it is still unknown. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The fields of `parts` that have a value, in one record. */
export function withoutUndefined<T extends object>(
  ...parts: readonly { readonly [K in keyof T]?: T[K] | undefined }[]
): T {
  const fields: Partial<T> = {};
  for (const part of parts) {
    for (const key in part) if (part[key] !== undefined) fields[key] = part[key];
  }
  return fields as T;
}

/** Not every application is written in TypeScript. */
export const hasMethods = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'function');
