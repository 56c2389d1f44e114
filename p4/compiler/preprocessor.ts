/*
 * The subset of the C preprocessor that P4_16 §6.2 requires: #include, #define (with and without parameters), #undef,
 * #if, #ifdef, #ifndef, #elif, #else, #endif, #error, #warning, #line and #pragma. It works on tokens rather than text,
 * so that every token keeps its source location.
 */
import type { Diagnostics } from './diagnostics.ts';
import { lex } from './lexer.ts';
import { SourceFile } from './source.ts';
import type { Span } from './source.ts';
import type { Token } from './token.ts';

interface Macro {
  readonly parameters: string[] | undefined;
  readonly body: Token[];
}

/**
 * Finds an included file, or returns undefined. `system` is true for `<x>`; `from` is the path of the including file.
 */
export type IncludeResolver = (name: string, system: boolean, from: string) => SourceFile | undefined;

const MAX_INCLUDE_DEPTH = 64;
/** The maximum number of tokens in a program, because nested macros can grow exponentially. */
const MAX_TOKENS = 300_000;

export function preprocess(file: SourceFile, resolve: IncludeResolver, diagnostics: Diagnostics): Token[] {
  const preprocessor = new Preprocessor(resolve, diagnostics);
  diagnostics.attempt(() => preprocessor.run(file, 0));
  const span = { file, start: file.text.length, end: file.text.length };
  return [
    ...preprocessor.output,
    { kind: 'end', text: 'end of file', span, lineStart: true, spaceBefore: true },
  ];
}

class Preprocessor {
  readonly output: Token[] = [];
  private readonly macros = new Map<string, Macro>();
  private readonly resolve: IncludeResolver;
  private readonly diagnostics: Diagnostics;

  constructor(resolve: IncludeResolver, diagnostics: Diagnostics) {
    this.resolve = resolve;
    this.diagnostics = diagnostics;
  }

  run(file: SourceFile, depth: number): void {
    const tokens = lex(file, this.diagnostics);
    /**
     * One element for every open #if: `taking`: whether the current branch is active; `taken`: whether any branch so
     * far was active.
     */
    const conditions: { taking: boolean; taken: boolean; span: Span }[] = [];
    const active = (): boolean => conditions.every(({ taking }) => taking);
    let pending: Token[] = [];
    const flush = (): void => {
      for (const token of this.expand(pending)) this.output.push(token);
      pending = [];
    };

    for (let at = 0; at < tokens.length;) {
      const token = tokens[at];
      if (!token) break;
      if (token.text !== '#' || !token.lineStart) {
        if (active()) pending.push(token);
        at++;
        continue;
      }
      flush();
      const line: Token[] = [];
      for (at++; at < tokens.length; at++) {
        const next = tokens[at];
        if (!next || next.lineStart) break;
        line.push(next);
      }
      const [word, ...rest] = line;
      this.directive(word?.text ?? '', rest, token.span, { conditions, active, file, depth });
    }
    flush();
    for (const { span } of conditions) this.diagnostics.error(span, 'this #if has no #endif');
  }

  private directive(
    word: string,
    rest: Token[],
    span: Span,
    state: {
      conditions: { taking: boolean; taken: boolean; span: Span }[];
      active: () => boolean;
      file: SourceFile;
      depth: number;
    },
  ): void {
    const { conditions, active } = state;
    const open = conditions.at(-1);
    const begin = (test: () => boolean): void => {
      const taking = active() && test();
      conditions.push({ taking, taken: taking || !active(), span });
    };
    switch (word) {
      case 'if': {
        begin(() => this.evaluate(rest, span) !== 0n);
        return;
      }
      case 'ifdef': {
        begin(() => this.macros.has(rest[0]?.text ?? ''));
        return;
      }
      case 'ifndef': {
        begin(() => !this.macros.has(rest[0]?.text ?? ''));
        return;
      }
      case 'elif':
      case 'else':
        if (!open) {
          this.diagnostics.error(span, `#${word} without #if`);
          return;
        }
        open.taking = !open.taken && (word === 'else' || this.evaluate(rest, span) !== 0n);
        open.taken ||= open.taking;
        return;
      case 'endif':
        if (!conditions.pop()) this.diagnostics.error(span, '#endif without #if');
        return;
    }
    if (!active()) return;
    switch (word) {
      case 'include': {
        this.include(rest, span, state.file, state.depth);
        return;
      }
      case 'define': {
        this.define(rest, span);
        return;
      }
      case 'undef':
        this.macros.delete(rest[0]?.text ?? '');
        return;
      case 'error': {
        this.diagnostics.error(span, `#error ${rest.map(({ text }) => text).join(' ')}`);
        return;
      }
      case 'warning': {
        this.diagnostics.warning(span, `#warning ${rest.map(({ text }) => text).join(' ')}`);
        return;
      }
      case '':
      case 'pragma':
      case 'line':
        return;
      default:
        // `# 1 "file"` is a line marker: the file was preprocessed before.
        if (rest[0] && /^[0-9]+$/.test(word)) return;
        this.diagnostics.error(span, `unknown preprocessor directive '#${word}' (P4_16 §6.2)`);
    }
  }

  private include(rest: Token[], span: Span, file: SourceFile, depth: number): void {
    const [first] = rest;
    const system = first?.text === '<';
    const end = rest.findIndex(({ text }) => text === '>');
    const close = rest[end];
    let name: string | undefined;
    if (system && close && end > 0)
      name = first.span.file.text.slice(first.span.end, close.span.start).trim();
    else if (first?.kind === 'string') name = first.text;
    if (name === undefined) {
      this.diagnostics.error(span, '#include requires "FILE" or <FILE>');
      return;
    }
    const included = this.resolve(name, system, file.path);
    if (!included && system)
      this.diagnostics.refuse(first.span, `the library <${name}>`, 'P4_16 §4; only v1model is');
    if (!included) {
      this.diagnostics.error(first?.span ?? span, `cannot find the file '${name}' to include`);
      return;
    }
    if (depth >= MAX_INCLUDE_DEPTH) {
      this.diagnostics.error(span, 'files include each other endlessly');
      return;
    }
    this.run(included, depth + 1);
  }

  private define(rest: Token[], span: Span): void {
    const [name, open] = rest;
    if (name?.kind !== 'name') {
      this.diagnostics.error(span, '#define requires a name');
      return;
    }
    if (open?.text !== '(' || open.spaceBefore) {
      this.macros.set(name.text, { parameters: undefined, body: rest.slice(1) });
      return;
    }
    const close = rest.findIndex(({ text }) => text === ')');
    if (close < 0) {
      this.diagnostics.error(open.span, 'the parameters of this macro are never closed');
      return;
    }
    const parameters = rest
      .slice(2, close)
      .filter(({ kind }) => kind === 'name')
      .map(({ text }) => text);
    this.macros.set(name.text, { parameters, body: rest.slice(close + 1) });
  }

  private expand(tokens: Token[]): Token[] {
    const result: Token[] = [];
    const todo = [...tokens].reverse();
    let work = 0;
    for (let token = todo.pop(); token; token = todo.pop()) {
      const macro =
        token.kind === 'name' && !token.hidden?.has(token.text) ? this.macros.get(token.text) : undefined;
      if (!macro) {
        result.push(token);
        continue;
      }
      if (++work + this.output.length + result.length + todo.length > MAX_TOKENS)
        this.diagnostics.fail(token.span, `the macro '${token.text}' grows endlessly`);
      let substituted: Token[];
      if (macro.parameters) {
        const args = takeArguments(todo);
        if (!args) {
          result.push(token);
          continue;
        }
        substituted = this.substitute(macro.parameters, macro.body, args);
      } else {
        substituted = paste(macro.body, this.diagnostics);
      }
      const hidden = new Set(token.hidden).add(token.text);
      const { span } = token;
      for (const replacement of substituted.reverse()) {
        const names = replacement.hidden ? new Set([...hidden, ...replacement.hidden]) : hidden;
        todo.push({ ...replacement, span, hidden: names });
      }
    }
    return result;
  }

  private substitute(parameters: string[], body: Token[], args: Token[][]): Token[] {
    const result: Token[] = [];
    for (const [at, token] of body.entries()) {
      const index = token.kind === 'name' ? parameters.indexOf(token.text) : -1;
      const pasted = body[at - 1]?.text === '##' || body[at + 1]?.text === '##';
      if (index < 0) result.push(token);
      else if (body[at - 1]?.text === '#') {
        result.pop();
        const text = (args[index] ?? [])
          .map((part, i) => (i && part.spaceBefore ? ' ' : '') + part.text)
          .join('');
        result.push({ ...token, kind: 'string', text });
      } else result.push(...(pasted ? (args[index] ?? []) : this.expand(args[index] ?? [])));
    }
    return paste(result, this.diagnostics);
  }

  /** Evaluates an `#if` expression. An undefined name is 0, as in C. */
  private evaluate(tokens: Token[], span: Span): bigint {
    const replaced: Token[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at];
      if (token?.text !== 'defined') {
        if (token) replaced.push(token);
        continue;
      }
      const bracket = tokens[at + 1]?.text === '(';
      const name = tokens[at + (bracket ? 2 : 1)];
      at += bracket ? 3 : 1;
      const value = this.macros.has(name?.text ?? '') ? 1n : 0n;
      replaced.push({ ...token, kind: 'integer', integer: { value, width: undefined, signed: false } });
    }
    const todo = this.expand(replaced);
    let at = 0;
    const primary = (): bigint => {
      const token = todo[at++];
      if (!token) this.diagnostics.fail(span, 'this condition ends too early');
      if (token.text === '!') return primary() ? 0n : 1n;
      if (token.text === '-') return -primary();
      if (token.text === '~') return ~primary();
      if (token.text === '(') {
        const value = binary(0);
        if (todo[at++]?.text !== ')') this.diagnostics.fail(token.span, "this '(' is never closed");
        return value;
      }
      if (token.integer) return token.integer.value;
      if (token.kind === 'name') return 0n;
      return this.diagnostics.fail(token.span, `'${token.text}' is not allowed in a preprocessor condition`);
    };
    const binary = (level: number): bigint => {
      let left = primary();
      while (true) {
        const token = todo[at];
        let op = token?.text ?? '';
        if (op === '>' && todo[at + 1]?.text === '>') op = '>>';
        const operator = CONDITION_OPERATORS[op];
        if (!operator || operator.level < level) return left;
        at += op === '>>' ? 2 : 1;
        const right = binary(operator.level + 1);
        if ((op === '/' || op === '%') && right === 0n)
          this.diagnostics.fail(token?.span, 'division by zero');
        left = operator.apply(left, right);
      }
    };
    const value = binary(0);
    const left = todo[at];
    if (left) this.diagnostics.error(left.span, `'${left.text}' was not expected in this condition`);
    return value;
  }
}

const flag = (value: boolean): bigint => (value ? 1n : 0n);
const CONDITION_OPERATORS: Record<
  string,
  { level: number; apply: (a: bigint, b: bigint) => bigint } | undefined
> = {
  '||': { level: 1, apply: (a, b) => flag(!!a || !!b) },
  '&&': { level: 2, apply: (a, b) => flag(!!a && !!b) },
  '|': { level: 3, apply: (a, b) => a | b },
  '^': { level: 4, apply: (a, b) => a ^ b },
  '&': { level: 5, apply: (a, b) => a & b },
  '==': { level: 6, apply: (a, b) => flag(a === b) },
  '!=': { level: 6, apply: (a, b) => flag(a !== b) },
  '<': { level: 7, apply: (a, b) => flag(a < b) },
  '<=': { level: 7, apply: (a, b) => flag(a <= b) },
  '>': { level: 7, apply: (a, b) => flag(a > b) },
  '>=': { level: 7, apply: (a, b) => flag(a >= b) },
  '<<': { level: 8, apply: (a, b) => a << (b & 0xfffn) },
  '>>': { level: 8, apply: (a, b) => a >> (b & 0xfffn) },
  '+': { level: 9, apply: (a, b) => a + b },
  '-': { level: 9, apply: (a, b) => a - b },
  '*': { level: 10, apply: (a, b) => a * b },
  '/': { level: 10, apply: (a, b) => a / b },
  '%': { level: 10, apply: (a, b) => a % b },
};

/** Removes `(a, b)` from the end of the reversed list; returns undefined if there is no `(`. */
function takeArguments(todo: Token[]): Token[][] | undefined {
  if (todo.at(-1)?.text !== '(') return undefined;
  todo.pop();
  const args: Token[][] = [[]];
  for (let depth = 1, token = todo.pop(); token; token = todo.pop()) {
    if (token.text === '(') depth++;
    else if (token.text === ')' && --depth === 0) break;
    if (token.text === ',' && depth === 1) args.push([]);
    else args.at(-1)?.push(token);
  }
  return args;
}

/** Joins the tokens on both sides of `##`. */
function paste(tokens: Token[], diagnostics: Diagnostics): Token[] {
  if (!tokens.some(({ text }) => text === '##')) return [...tokens];
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    const left = result.at(-1);
    const right = tokens[at + 1];
    if (token.text !== '##' || !left || !right) {
      result.push(token);
      continue;
    }
    const [joined] = lex(new SourceFile(token.span.file.path, left.text + right.text), diagnostics);
    if (joined) result[result.length - 1] = { ...joined, span: token.span };
    at++;
  }
  return result;
}
