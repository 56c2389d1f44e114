/** A configuration value and its location, which error messages include. */
export class Field {
  private readonly where: string;
  private readonly value: unknown;

  constructor(where: string, value: unknown) {
    this.where = where;
    this.value = value;
  }

  entries(): [string, Field][] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.wrong('an object');
    return Object.entries(value).map(([key, each]) => [key, new Field(`${this.where}: ${key}`, each)]);
  }

  object(known: readonly string[]): Fields {
    const entries = this.entries();
    for (const [key] of entries)
      if (!known.includes(key))
        throw new Error(`${this.where} has the unknown field '${key}'; it may have ${known.join(', ')}`);
    return new Fields(this.where, new Map(entries));
  }

  elements(): Field[] {
    if (!Array.isArray(this.value)) return this.wrong('a list');
    return this.value.map((each, at) => new Field(`${this.where}[${at}]`, each));
  }

  text(): string {
    return typeof this.value === 'string' && this.value !== '' ? this.value : this.wrong('a string');
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.wrong('true or false');
  }

  /** A number, or a string in the control plane's notation for numbers. */
  numberText(): string {
    return typeof this.value === 'number' ? String(this.whole(0, Number.MAX_SAFE_INTEGER)) : this.text();
  }

  positive(most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || !(value >= Number.MIN_VALUE && value <= most))
      return this.wrong(`a number up to ${most}, above 0`);
    return value;
  }

  share(): number {
    const { value } = this;
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return this.wrong('a number from 0 to 1');
    return value;
  }

  whole(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      return this.wrong(`a whole number from ${least} to ${most}`);
    return value;
  }

  wrong(expected: string): never {
    throw new Error(`${this.where} is ${JSON.stringify(this.value)}, but must be ${expected}`);
  }
}

export class Fields {
  private readonly where: string;
  private readonly fields: ReadonlyMap<string, Field>;

  constructor(where: string, fields: ReadonlyMap<string, Field>) {
    this.where = where;
    this.fields = fields;
  }

  get(name: string): Field {
    return this.fields.get(name) ?? new Field(`${this.where}: ${name}`, null);
  }

  optional(name: string): Field | undefined {
    return this.fields.get(name);
  }

  list(name: string): Field[] {
    return this.fields.get(name)?.elements() ?? [];
  }
}
