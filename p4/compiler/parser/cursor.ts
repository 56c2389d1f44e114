import type { Annotation, Name } from '../ast.ts';
import { Abandon } from '../diagnostics.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { spanning } from '../source.ts';
import type { Span } from '../source.ts';
import { RESERVED } from '../token.ts';
import type { Token } from '../token.ts';

/** The maximum nesting depth, so that the parser's recursion does not overflow the stack. */
const MAX_DEPTH = 400;

/** The parser's position in the token list, with helpers to read tokens. */
export class Cursor {
  readonly diagnostics: Diagnostics;
  /** Names of types: `(name) - 1` is a cast only if `name` is a type (the grammar's TYPE_IDENTIFIER). */
  readonly typeNames = new Set<string>();
  private readonly typeParameters: string[] = [];
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;
  private speculating = 0;

  constructor(tokens: Token[], diagnostics: Diagnostics) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
  }

  /** Makes a type parameter's name a type name until the end of its declaration. */
  addTypeParameter(name: string): void {
    if (this.typeNames.has(name)) return;
    this.typeNames.add(name);
    this.typeParameters.push(name);
  }

  forgetTypeParameters(): void {
    for (const name of this.typeParameters.splice(0)) this.typeNames.delete(name);
  }

  get token(): Token {
    return this.ahead(0);
  }

  get done(): boolean {
    return this.token.kind === 'end';
  }

  ahead(distance: number): Token {
    const token = this.tokens[Math.min(this.at + distance, this.tokens.length - 1)];
    if (!token) throw new Error('a token list always has an end');
    return token;
  }

  next(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.at++;
    return token;
  }

  /** Whether the token at `distance` is this symbol or word. */
  is(text: string, distance = 0): boolean {
    const token = this.ahead(distance);
    return token.text === text && (token.kind === 'symbol' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  expect(text: string): Token {
    if (!this.is(text)) this.fail(`expected '${text}' but found ${describe(this.token)}`);
    return this.next();
  }

  isName(distance = 0): boolean {
    const token = this.ahead(distance);
    return token.kind === 'name' && !RESERVED.has(token.text) && token.text !== '_';
  }

  name(): Name {
    if (!this.isName()) this.fail(`expected a name but found ${describe(this.token)}`);
    const { text, span } = this.next();
    return { text, span };
  }

  fail(message: string, span = this.token.span): never {
    if (this.speculating) throw new Abandon(message);
    return this.diagnostics.fail(span, message);
  }

  spanFrom(start: Token | { span: Span }): Span {
    return spanning(start.span, this.ahead(this.at > 0 ? -1 : 0).span);
  }

  /** Tries to parse the next tokens in one way. Rewinds if that fails. */
  speculate<T>(read: () => T | undefined): T | undefined {
    const { at, depth } = this;
    this.speculating++;
    try {
      const result = read();
      if (result === undefined) this.at = at;
      return result;
    } catch (error) {
      if (!(error instanceof Abandon)) throw error;
      this.at = at;
      this.depth = depth;
      return undefined;
    } finally {
      this.speculating--;
    }
  }

  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      this.depth = 0;
      this.fail(`this is nested more than ${MAX_DEPTH} levels deep`);
    }
    const result = read();
    this.depth--;
    return result;
  }

  /** Parses one element. After an error, skips to where the next element can start. */
  recovering(read: () => void): void {
    if (this.speculating) {
      read();
      return;
    }
    const { at, depth } = this;
    if (this.diagnostics.attempt(read) && this.at > at) return;
    this.depth = depth;
    this.skip(at);
  }

  separated<T>(close: string, read: () => T, trailing = true): T[] {
    const list: T[] = [];
    while (!this.is(close)) {
      list.push(read());
      if (!this.accept(',')) break;
      if (this.is(close) && !trailing) this.fail(`expected another element before '${close}'`);
    }
    this.expect(close);
    return list;
  }

  annotations(): Annotation[] {
    const list: Annotation[] = [];
    while (this.is('@')) {
      const start = this.next();
      const name = this.next();
      const bracket = this.is('(') || this.is('[');
      if (name.text === 'pragma' && !bracket) list.push(this.pragma(start));
      else
        list.push({ name: name.text, body: bracket ? this.readBracketed() : [], span: this.spanFrom(start) });
    }
    return list;
  }

  /** Parses `@pragma name anything`, up to the end of the line: the original syntax of annotations. */
  private pragma(start: Token): Annotation {
    const [name, ...body] = this.restOfLine();
    return { name: name?.text ?? '', body, span: this.spanFrom(start) };
  }

  private restOfLine(): Token[] {
    const line: Token[] = [];
    while (!this.token.lineStart && !this.done) line.push(this.next());
    return line;
  }

  /** Moves back to an earlier token. */
  rewind(token: Token): void {
    this.at = this.tokens.indexOf(token);
  }

  skipBraces(): void {
    if (!this.is('{')) this.fail(`expected '{' but found ${describe(this.token)}`);
    this.readBracketed();
  }

  /** Reads a bracketed group; returns the tokens between its brackets. */
  private readBracketed(): Token[] {
    const body: Token[] = [];
    let depth = 0;
    do {
      const token = this.next();
      if (token.kind === 'end') this.fail('this annotation is never closed', token.span);
      if (token.kind === 'symbol' && '([{'.includes(token.text)) depth++;
      if (token.kind === 'symbol' && ')]}'.includes(token.text)) depth--;
      body.push(token);
    } while (depth > 0);
    return body.slice(1, -1);
  }

  /** Skips the element that starts at `from`, to its `;` or the end of its braces. */
  private skip(from: number): void {
    const stop = Math.max(this.at, from + 1);
    let depth = 0;
    for (this.at = from; !this.done; this.at++) {
      if (this.is('{')) depth++;
      if (this.is('}')) {
        if (depth === 0) return;
        depth--;
      }
      if (depth === 0 && this.at + 1 >= stop && (this.is(';') || this.is('}'))) {
        this.at++;
        return;
      }
    }
  }
}

export function describe(token: Token): string {
  if (token.kind === 'end') return 'the end of the file';
  return token.kind === 'string' ? `the string "${token.text}"` : `'${token.text}'`;
}
