import type { Span } from './source.ts';

export type TokenKind = 'name' | 'integer' | 'string' | 'symbol' | 'directive' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The text of the token; for a string, its contents without quotes. */
  readonly text: string;
  readonly span: Span;
  readonly lineStart: boolean;
  readonly spaceBefore: boolean;
  readonly integer?: IntegerLiteral;
  /** Macros whose expansion produced this token. They are not expanded in it again. */
  readonly hidden?: ReadonlySet<string>;
}

/** An integer such as `8w255`, `4s7` or `0xFF` (P4_16 §6.4.3.2). */
export interface IntegerLiteral {
  readonly value: bigint;
  readonly width: number | undefined;
  readonly signed: boolean;
}

/** Words that cannot be names (P4_16 §6.4.1 and the grammar's `name`). */
export const RESERVED = new Set(
  (
    'abstract action bit bool break const continue control default else enum error exit extern false for header ' +
    'header_union if in inout int match_kind out package parser return select string struct switch table ' +
    'this transition true tuple typedef value_set varbit void'
  ).split(' '),
);
