/** The fields of a parsed JSON object. The checks below throw an Error that names the field and the expected type. */
export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`${what} must be an object, not ${show(value)}`);
}

export function asText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${what} must be a string, not ${show(value)}`);
}

/** Checks a time in the format of `Date.prototype.toISOString`. */
export function asTime(value: unknown, what: string): string {
  const text = asText(value, what);
  if (!Number.isNaN(Date.parse(text))) return text;
  throw new Error(`${what} must be a time, not ${show(value)}`);
}

export function asNumber(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(`${what} must be a number, not ${show(value)}`);
}

export function asNumberOrNull(value: unknown, what: string): number | null {
  return value === null ? null : asNumber(value, what);
}

export function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} must be a list, not ${show(value)}`);
}

const show = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
