import type { StructDeclaration } from '../ast.ts';

export interface FieldType {
  readonly name: string;
  readonly type: Type;
  /**
   * The numbers of the field's `@field_list` annotations, which select metadata that a clone, resubmission or
   * recirculation preserves (v1model).
   */
  readonly fieldLists: readonly number[];
}

export type BitType = { readonly kind: 'bit' | 'int'; readonly width: number };
export type StructType = {
  readonly kind: 'struct' | 'header' | 'union';
  readonly name: string;
  readonly fields: readonly FieldType[];
  /** The identity of the type: equal types have equal keys. Nominal, with the type arguments. */
  readonly key: string;
  readonly generic: StructDeclaration | undefined;
  readonly args: readonly Type[];
};
type TupleType = { readonly kind: 'tuple'; readonly elements: readonly Type[] };
type StackType = { readonly kind: 'stack'; readonly element: Type; readonly size: number };
export type EnumType = { readonly kind: 'enum'; readonly name: string; readonly members: readonly string[] };
type SerializableEnumType = {
  readonly kind: 'serializable';
  readonly name: string;
  readonly underlying: BitType;
  readonly members: ReadonlyMap<string, bigint>;
};

/** A P4 type (P4_16 §7). */
export type Type =
  | BitType
  | { readonly kind: 'varbit'; readonly width: number }
  /** An integer of arbitrary precision; exists only at compile time. */
  | { readonly kind: 'integer' }
  | { readonly kind: 'bool' | 'string' | 'void' | 'error' | 'match_kind' }
  | EnumType
  | SerializableEnumType
  | StructType
  | StackType
  | TupleType
  | { readonly kind: 'newtype'; readonly name: string; readonly base: Type }
  | { readonly kind: 'extern'; readonly name: string; readonly args: readonly Type[] }
  | { readonly kind: 'parser' | 'control' | 'package'; readonly name: string }
  /** The types of the result of a table's `apply`, and of its `action_run`. */
  | { readonly kind: 'applyResult' }
  | { readonly kind: 'actionRun' }
  | { readonly kind: 'variable'; readonly name: string }
  /** The type of `{#}` until its header type is known. */
  | { readonly kind: 'invalidHeader' };

export const BOOL: Type = { kind: 'bool' };
export const VOID: Type = { kind: 'void' };
export const INTEGER: Type = { kind: 'integer' };
export const ERROR: Type = { kind: 'error' };
export const STRING: Type = { kind: 'string' };
export const bit = (width: number): BitType => ({ kind: 'bit', width });

export function typeKey(type: Type): string {
  switch (type.kind) {
    case 'bit':
    case 'int':
    case 'varbit':
      return `${type.kind}<${type.width}>`;
    case 'integer':
      return 'int';
    case 'struct':
    case 'header':
    case 'union':
      return type.key;
    case 'stack':
      return `${typeKey(type.element)}[${type.size}]`;
    case 'tuple':
      return `tuple<${type.elements.map(typeKey).join(', ')}>`;
    case 'extern':
      return type.args.length ? `${type.name}<${type.args.map(typeKey).join(', ')}>` : type.name;
    case 'enum':
    case 'serializable':
    case 'newtype':
    case 'parser':
    case 'control':
    case 'package':
    case 'variable':
      return type.name;
    default:
      return type.kind;
  }
}

export const sameType = (a: Type, b: Type): boolean => a === b || typeKey(a) === typeKey(b);

/** The type behind a `type` or serializable enum. It determines the representation at run time. */
export function underlying(type: Type): Type {
  if (type.kind === 'newtype') return underlying(type.base);
  return type.kind === 'serializable' ? type.underlying : type;
}

export const isBits = (type: Type): type is BitType => type.kind === 'bit' || type.kind === 'int';
export const isStruct = (type: Type): type is StructType =>
  type.kind === 'struct' || type.kind === 'header' || type.kind === 'union';

/** Whether values are JavaScript objects at run time; assignments copy into these objects. */
export const isObject = (type: Type): boolean =>
  isStruct(type) || type.kind === 'stack' || type.kind === 'tuple';

/**
 * The size of a value in bits (P4_16 §9). If the type contains varbits or unions, it is the maximum size, or the
 * minimum size with `least`. Undefined for types without a size.
 */
export function bitSize(type: Type, least = false): number | undefined {
  const actual = underlying(type);
  const sum = (types: readonly Type[]): number | undefined =>
    types.reduce<number | undefined>((total, each) => {
      const size = bitSize(each, least);
      return total === undefined || size === undefined ? undefined : total + size;
    }, 0);
  switch (actual.kind) {
    case 'bit':
    case 'int':
      return actual.width;
    case 'varbit':
      return least ? 0 : actual.width;
    case 'bool':
      return 1;
    case 'struct':
    case 'header':
      return sum(actual.fields.map((field) => field.type));
    case 'union': {
      const sizes = actual.fields.map((field) => bitSize(field.type, least) ?? 0);
      return least ? Math.min(...sizes) : Math.max(...sizes);
    }
    case 'tuple':
      return sum(actual.elements);
    case 'stack': {
      const size = bitSize(actual.element, least);
      return size === undefined ? undefined : size * actual.size;
    }
    default:
      return undefined;
  }
}

export function findField(type: StructType, name: string): FieldType | undefined {
  return type.fields.find((field) => field.name === name);
}
