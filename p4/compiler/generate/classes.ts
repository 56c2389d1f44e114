import { isObject, isStruct, typeKey } from '../check/types.ts';
import type { StructType, Type } from '../check/types.ts';
import { fieldName, representation } from './representation.ts';

/** Generates a JavaScript class for every struct, header, union and tuple type. */
export class ClassWriter {
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();

  /**
   * Returns the code of a type's initial value: 0 for numbers, invalid for headers. BMv2 also initializes values that
   * P4_16 §8.26 leaves undefined.
   */
  zero(type: Type): string {
    switch (representation(type)) {
      case 'number':
        return '0';
      case 'bigint':
        return '0n';
      case 'boolean':
        return 'false';
      case 'string':
        return '""';
      case 'varbit':
        return '$rt.emptyBits';
      case 'object':
        if (type.kind === 'stack') return `new $rt.HeaderStack(${this.factory(type.element)}, ${type.size})`;
        return `new ${this.className(type)}()`;
    }
  }

  /** Returns the code of a function that makes initial values of a type. */
  factory(type: Type): string {
    return `() => ${this.zero(type)}`;
  }

  className(type: Type): string {
    const key = typeKey(type);
    const known = this.names.get(key);
    if (known) return known;
    const name = `class$${isStruct(type) ? type.name || 'record' : type.kind}$${this.names.size + 1}`;
    this.names.set(key, name);
    this.lines.push(...this.write(name, type));
    return name;
  }

  private write(name: string, type: Type): string[] {
    const fields = getFields(type).map((field) => ({ name: fieldName(field.name), type: field.type }));
    const each = (
      object: (field: string) => string,
      scalar: (field: string, type: Type) => string,
    ): string[] =>
      fields.map(
        (field) => `    ${isObject(field.type) ? object(field.name) : scalar(field.name, field.type)}`,
      );
    const header = type.kind === 'header';
    const equal = fields.map((field) => equality(field.type, `this.${field.name}`, `that.${field.name}`));
    const same = equal.length ? equal.join(' && ') : 'true';
    const lines = [
      `class ${name} {`,
      '  constructor() {',
      ...(header ? ['    this.$valid = false;'] : []),
      ...fields.map((field) => `    this.${field.name} = ${this.zero(field.type)};`),
      '  }',
      '  $set(that) {',
      // Assigning an invalid header only makes the target invalid. The target's fields keep their values, as in BMv2.
      ...(header ? ['    if (!(this.$valid = that.$valid)) return this;'] : []),
      ...each(
        (field) => `this.${field}.$set(that.${field});`,
        (field) => `this.${field} = that.${field};`,
      ),
      '    return this;',
      '  }',
      '  $copy() {',
      `    return new ${name}().$set(this);`,
      '  }',
      '  $reset() {',
      ...(header ? ['    this.$valid = false;'] : []),
      ...each(
        (field) => `this.${field}.$reset();`,
        (field, fieldType) => `this.${field} = ${this.zero(fieldType)};`,
      ),
      '    return this;',
      '  }',
      '  $eq(that) {',
      header
        ? `    return this.$valid === that.$valid && (!this.$valid || (${same}));`
        : `    return ${same};`,
      '  }',
    ];
    if (type.kind === 'union') lines.push(...unionMethods(type));
    return [...lines, '}'];
  }
}

export function equality(type: Type, a: string, b: string): string {
  switch (representation(type)) {
    case 'object':
      return `${a}.$eq(${b})`;
    case 'varbit':
      return `$rt.sameBits(${a}, ${b})`;
    default:
      return `${a} === ${b}`;
  }
}

export function getFields(type: Type): readonly { readonly name: string; readonly type: Type }[] {
  if (isStruct(type)) return type.fields;
  return type.kind === 'tuple' ? type.elements.map((element, at) => ({ name: `_${at}`, type: element })) : [];
}

/** Generates the methods that keep at most one header of a union valid (P4_16 §8.20). */
function unionMethods(type: StructType): string[] {
  const names = type.fields.map((field) => fieldName(field.name));
  return [
    '  get $valid() {',
    `    return ${names.map((name) => `this.${name}.$valid`).join(' || ') || 'false'};`,
    '  }',
    '  $keep(kept) {',
    '    if (!kept.$valid) return;',
    ...names.map((name) => `    if (this.${name} !== kept) this.${name}.$valid = false;`),
    '  }',
  ];
}
