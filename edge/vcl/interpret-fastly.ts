/**
 * Runs a subroutine of Fastly VCL, as much of the language as fastly.vcl uses, for its tests where `falco`, a public
 * linter and simulator of it, is not installed. Strict where Fastly is: an undeclared variable, a statement or a
 * function that is not known here, or INTEGER mixed with FLOAT throws. Fastly prints a FLOAT with three decimals, and
 * a header or a string that is not set as `(null)` when it is joined to others; INTEGER division truncates.
 */
export interface VclState {
  /** `resp.http.Name`, `client.socket.pace` and so on. A header or a string that is not set is absent. */
  readonly variables: Map<string, string | number | boolean>;
  /** What `return(...)` said. */
  returned?: string;
}

type Kind = 'INTEGER' | 'FLOAT' | 'STRING';
interface Typed {
  readonly kind: Kind | 'BOOL' | 'not set';
  readonly value: string | number | boolean;
}

const TOKEN =
  /\s+|#[^\n]*|\{"(?<long>[\s\S]*?)"\}|"(?<text>[^"\n]*)"|(?<symbol>[A-Za-z_][\w.-]*|\d+(?:\.\d+)?|[-+*/]=|[{}();=~<>])/y;

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

/** The subroutines of a file, each as the tokens between its braces. */
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

export function runSubroutine(tokens: readonly Token[], state: VclState): void {
  const locals = new Map<string, Typed>();
  let at = 0;
  const peek = (): Token => tokens[at] ?? { kind: 'symbol', text: 'end' };
  const next = (): Token => tokens[at++] ?? { kind: 'symbol', text: 'end' };
  const take = (text: string): void => {
    const found = next();
    if (found.kind !== 'symbol' || found.text !== text)
      throw new Error(`expected ${text}, found ${found.text}`);
  };

  const read = (name: string): Typed => {
    const local = locals.get(name);
    if (local) return local;
    if (name.startsWith('var.')) throw new Error(`${name} is not declared`);
    const value = state.variables.get(name);
    if (value === undefined && !/^(req|resp|beresp|obj)\.http\./.test(name))
      throw new Error(`${name} is not known`);
    if (value === undefined) return { kind: 'not set', value: '' };
    if (typeof value === 'number') return { kind: 'INTEGER', value };
    return { kind: typeof value === 'boolean' ? 'BOOL' : 'STRING', value };
  };

  const operand = (): Typed => {
    const { kind, text } = next();
    if (kind === 'string') return { kind: 'STRING', value: text };
    if (/^\d/.test(text)) return { kind: text.includes('.') ? 'FLOAT' : 'INTEGER', value: Number(text) };
    if (peek().text !== '(') return read(text);
    take('(');
    const argument = operand();
    take(')');
    if (text === 'std.atoi')
      return { kind: 'INTEGER', value: Math.trunc(Number.parseFloat(String(argument.value))) };
    throw new Error(`${text} is not known`);
  };

  const print = ({ kind, value }: Typed): string =>
    kind === 'FLOAT' ? Number(value).toFixed(3) : String(value);
  const join = (values: readonly Typed[]): string =>
    values.map((value) => (value.kind === 'not set' && values.length > 1 ? '(null)' : print(value))).join('');

  const condition = (): boolean => {
    const left = operand();
    const operator = peek().text;
    if (operator === ')') return left.kind === 'BOOL' ? left.value === true : left.kind !== 'not set';
    next();
    const right = operand();
    if (operator === '~') return new RegExp(String(right.value)).test(print(left));
    if (left.kind !== right.kind) throw new Error(`${left.kind} ${operator} ${right.kind}`);
    if (operator === '<') return left.value < right.value;
    if (operator === '>') return left.value > right.value;
    throw new Error(`${operator} is not known`);
  };

  const assign = (): void => {
    const { text: target } = next();
    const { text: operator } = next();
    const values = [operand()];
    while (peek().text !== ';' || peek().kind === 'string') values.push(operand());
    take(';');
    const [first] = values;
    const local = locals.get(target);
    if (!local) {
      if (operator !== '=' || target.startsWith('var.')) throw new Error(`${target} ${operator}`);
      const numeric = values.length === 1 && first?.kind === 'INTEGER' && !target.includes('.http.');
      state.variables.set(target, numeric ? Number(first.value) : join(values));
      return;
    }
    if (local.kind === 'STRING' || local.kind === 'not set') {
      if (operator !== '=') throw new Error(`${target} ${operator}`);
      locals.set(target, { kind: 'STRING', value: join(values) });
      return;
    }
    const [before, number] = [Number(local.value), Number(first?.value)];
    // An INTEGER becomes a FLOAT by itself, and not the other way round.
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
    locals.set(target, { kind: local.kind, value: local.kind === 'INTEGER' ? Math.trunc(result) : result });
  };

  /** A block from `{` to its `}`, run or passed over. */
  const block = (run: boolean): void => {
    const end = closingBrace(tokens, at);
    take('{');
    if (run) while (at < end && state.returned === undefined) statement();
    at = end + 1;
  };

  const statement = (): void => {
    const { text } = next();
    if (text === 'declare') {
      take('local');
      const name = next().text;
      const kind = next().text;
      // Fastly's string begins as not set.
      locals.set(name, kind === 'STRING' ? { kind: 'not set', value: '' } : { kind: kind as Kind, value: 0 });
      take(';');
    } else if (text === 'set') assign();
    else if (text === 'unset') {
      state.variables.delete(next().text);
      take(';');
    } else if (text === 'return') {
      take('(');
      state.returned = next().text;
      take(')');
      take(';');
    } else if (text === 'if') {
      take('(');
      const holds = condition();
      take(')');
      block(holds);
      if (peek().text === 'else') {
        next();
        block(!holds);
      }
    } else throw new Error(`${text} is not known`);
  };

  while (at < tokens.length && state.returned === undefined) statement();
}
