export interface VclState {
  /** `resp.http.Name`, `client.socket.pace`, etc. Unset headers and strings are absent. */
  readonly variables: Map<string, string | number | boolean>;
  /** The argument of `return(...)`, or `error 503`. */
  returned?: string;
}

type Kind = 'INTEGER' | 'FLOAT' | 'STRING';
interface Typed {
  readonly kind: Kind | 'BOOL' | 'not set';
  readonly value: string | number | boolean;
}

const TOKEN =
  /\s+|#[^\n]*|\{"(?<long>[\s\S]*?)"\}|"(?<text>[^"\n]*)"|(?<symbol>[A-Za-z_][\w.-]*|\d+(?:\.\d+)?|[-+*/=<>]=|!~|[{}();,=~<>!])/y;

interface Token {
  readonly kind: 'string' | 'symbol';
  readonly text: string;
}

export function tokenizeVcl(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(source)?.groups;
    if (!groups && TOKEN.lastIndex === 0) throw new Error(`not VCL: ${source.slice(at, at + 40)}`);
    const { long, text, symbol } = groups ?? {};
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
    else if (long !== undefined || text !== undefined)
      tokens.push({ kind: 'string', text: long ?? text ?? '' });
  }
  return tokens;
}

/** Reads the subroutines of a file, each as the tokens between its braces. */
export function subroutines(source: string): Map<string, Token[]> {
  const tokens = tokenizeVcl(source);
  const found = new Map<string, Token[]>();
  for (let at = 0; at < tokens.length;) {
    if (tokens[at]?.text !== 'sub') throw new Error(`expected sub, found ${tokens[at]?.text}`);
    const end = closingBrace(tokens, at + 2);
    found.set(tokens[at + 1]?.text ?? '', tokens.slice(at + 3, end));
    at = end + 1;
  }
  return found;
}

function closingBrace(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'string', text: '' };
    if (kind === 'symbol' && text === '{') depth += 1;
    if (kind === 'symbol' && text === '}' && --depth === 0) return at;
  }
  throw new Error('a brace is not closed');
}

/**
 * Runs one of `subroutines`, for tests on machines without `falco`, a public linter and simulator of Fastly VCL. The
 * results are stored in `state`. Supports the part of the language that fastly.vcl uses. Like Fastly, it rejects an
 * undeclared variable, an unknown statement or function, and INTEGER mixed with FLOAT. Like at Fastly, a FLOAT is
 * printed with three decimals, an unset header or string is printed as `(null)` when concatenated, and INTEGER division
 * truncates.
 */
export function runSubroutine(tokens: readonly Token[], state: VclState): void {
  new Run(tokens, state).toTheEnd();
}

const END: Token = { kind: 'symbol', text: 'end' };
const HEADER = /^(req|bereq|resp|beresp|obj)\.http\./;

const print = ({ kind, value }: Typed): string =>
  kind === 'FLOAT' ? Number(value).toFixed(3) : String(value);
const join = (values: readonly Typed[]): string =>
  values.map((value) => (value.kind === 'not set' && values.length > 1 ? '(null)' : print(value))).join('');

/** Executes the tokens of a subroutine once. */
class Run {
  readonly #locals = new Map<string, Typed>();
  #at = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly state: VclState,
  ) {}

  toTheEnd(): void {
    while (this.#at < this.tokens.length && !this.#ended()) this.#statement();
  }

  #ended(): boolean {
    return this.state.returned !== undefined;
  }

  #peek(): Token {
    return this.tokens[this.#at] ?? END;
  }

  #next(): Token {
    return this.tokens[this.#at++] ?? END;
  }

  #take(text: string): void {
    const found = this.#next();
    if (found.kind !== 'symbol' || found.text !== text)
      throw new Error(`expected ${text}, found ${found.text}`);
  }

  #statement(): void {
    const { text } = this.#next();
    if (text === 'declare') this.#declare();
    else if (text === 'set') this.#assign();
    else if (text === 'if') this.#if();
    else if (text === 'unset') this.state.variables.delete(this.#next().text);
    else if (text === 'error') this.state.returned = `error ${this.#next().text}`;
    else if (text === 'return') {
      this.#take('(');
      this.state.returned = this.#next().text;
      this.#take(')');
    } else throw new Error(`${text} is not known`);
    if (text !== 'if' && text !== 'set') this.#take(';');
  }

  #declare(): void {
    this.#take('local');
    const name = this.#next().text;
    const kind = this.#next().text;
    // As at Fastly, a new STRING is unset.
    this.#locals.set(
      name,
      kind === 'STRING' ? { kind: 'not set', value: '' } : { kind: kind as Kind, value: 0 },
    );
  }

  #if(): void {
    this.#take('(');
    const holds = this.#condition();
    this.#take(')');
    this.#block(holds);
    if (this.#peek().text !== 'else') return;
    this.#next();
    this.#block(!holds);
  }

  /** Runs or skips a block from `{` to its `}`. */
  #block(run: boolean): void {
    const end = closingBrace(this.tokens, this.#at);
    this.#take('{');
    if (run) while (this.#at < end && !this.#ended()) this.#statement();
    this.#at = end + 1;
  }

  #condition(): boolean {
    if (this.#peek().text === '!') {
      this.#next();
      return !this.#condition();
    }
    const left = this.#operand();
    const operator = this.#peek().text;
    if (operator === ')') return left.kind === 'BOOL' ? left.value === true : left.kind !== 'not set';
    this.#next();
    const right = this.#operand();
    if (operator === '~') return matches(left, right);
    if (operator === '!~') return !matches(left, right);
    if (left.kind !== right.kind) throw new Error(`${left.kind} ${operator} ${right.kind}`);
    if (operator === '==') return left.value === right.value;
    if (operator === '<') return left.value < right.value;
    if (operator === '>') return left.value > right.value;
    if (operator === '>=') return left.value >= right.value;
    throw new Error(`${operator} is not known`);
  }

  #operand(): Typed {
    const { kind, text } = this.#next();
    if (kind === 'string') return { kind: 'STRING', value: text };
    if (/^\d/.test(text)) return { kind: text.includes('.') ? 'FLOAT' : 'INTEGER', value: Number(text) };
    if (text === 'true' || text === 'false') return { kind: 'BOOL', value: text === 'true' };
    // `F_NAME` is Fastly's name for a backend of the service.
    if (text.startsWith('F_')) return { kind: 'STRING', value: text };
    return this.#peek().text === '(' ? this.#call(text) : this.#read(text);
  }

  #call(name: string): Typed {
    this.#take('(');
    const given = [this.#operand()];
    while (this.#peek().text === ',') {
      this.#next();
      given.push(this.#operand());
    }
    this.#take(')');
    const [first = '', second = '', third = ''] = given.map(({ value }) => String(value));
    if (name === 'std.atoi') return { kind: 'INTEGER', value: Math.trunc(Number.parseFloat(first)) };
    if (name === 'regsub' || name === 'regsuball') {
      const replacement = third.replace(/\\(\d)/g, '$$$1');
      const flags = name === 'regsuball' ? 'g' : '';
      return { kind: 'STRING', value: first.replace(regularExpression(second, flags), replacement) };
    }
    throw new Error(`${name} is not known`);
  }

  #read(name: string): Typed {
    const local = this.#locals.get(name);
    if (local) return local;
    if (name.startsWith('var.')) throw new Error(`${name} is not declared`);
    const value = this.state.variables.get(name);
    if (value === undefined && !HEADER.test(name)) throw new Error(`${name} is not known`);
    if (value === undefined) return { kind: 'not set', value: '' };
    if (typeof value === 'number') return { kind: 'INTEGER', value };
    return { kind: typeof value === 'boolean' ? 'BOOL' : 'STRING', value };
  }

  #assign(): void {
    const { text: target } = this.#next();
    const { text: operator } = this.#next();
    const values = [this.#operand()];
    while (this.#peek().text !== ';' || this.#peek().kind === 'string') values.push(this.#operand());
    this.#take(';');
    const [first] = values;
    const local = this.#locals.get(target);
    if (local) {
      this.#locals.set(target, assigned(target, local, operator, values));
      return;
    }
    if (operator !== '=' || target.startsWith('var.')) throw new Error(`${target} ${operator}`);
    const asItIs = values.length === 1 && !HEADER.test(target) && first && first.kind !== 'not set';
    this.state.variables.set(target, asItIs ? first.value : join(values));
  }
}

/** The value of a local variable after an assignment. */
function assigned(target: string, local: Typed, operator: string, values: readonly Typed[]): Typed {
  const [first] = values;
  if (local.kind === 'STRING' || local.kind === 'not set') {
    if (operator !== '=') throw new Error(`${target} ${operator}`);
    return { kind: 'STRING', value: join(values) };
  }
  const [before, number] = [Number(local.value), Number(first?.value)];
  // An INTEGER is converted to FLOAT implicitly, but a FLOAT is not converted to INTEGER.
  if (values.length > 1 || (local.kind === 'INTEGER' && first?.kind !== 'INTEGER')) {
    throw new Error(`${target} ${operator} ${first?.kind}`);
  }
  const results: Record<string, number> = {
    '=': number,
    '+=': before + number,
    '*=': before * number,
    '/=': before / number,
  };
  const result = results[operator];
  if (result === undefined) throw new Error(`${operator} is not known`);
  return { kind: local.kind, value: local.kind === 'INTEGER' ? Math.trunc(result) : result };
}

const matches = (left: Typed, right: Typed): boolean =>
  regularExpression(String(right.value)).test(print(left));

/**
 * Converts a PCRE pattern. `(?i)` at the beginning becomes JavaScript's flag `i`. Possessive repetitions become greedy,
 * which gives the same matches if the text after a repetition cannot begin with the repeated characters.
 */
const regularExpression = (pattern: string, flags = ''): RegExp =>
  new RegExp(
    pattern.replace(/^\(\?i\)/, '').replace(/(?<=[^\\][+*?}])\+/g, ''),
    flags + (pattern.startsWith('(?i)') ? 'i' : ''),
  );
