import type { Diagnostics } from './diagnostics.ts';
import type { SourceFile } from './source.ts';
import type { IntegerLiteral, Token, TokenKind } from './token.ts';

/** Symbols, longest first. The parser combines `>` tokens into `>>`, because `a<b<c>>` closes two lists. */
const SYMBOLS = [
  ...['|+|=', '|-|=', '&&&', '...', '<<=', '|+|', '|-|', '{#}'],
  ...[
    '<<',
    '&&',
    '||',
    '==',
    '!=',
    '<=',
    '>=',
    '++',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '&=',
    '|=',
    '^=',
    '..',
    '##',
  ],
  ...'+ - * / % & | ^ ~ ! < > = ( ) [ ] { } : ; , . @ ? #'.split(' '),
];

const BLANK = /(?:[ \t\r\f\v\uFEFF]|\\\r?\n|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:[0-9]+[ws])?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|0[dD][0-9_]+|[0-9][0-9_]*)/y;
const STRING = /"((?:[^"\\\n]|\\[\s\S])*)"/y;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

/** Splits a file into tokens. A directive's `#` is a symbol token at the start of a line. */
export function lex(file: SourceFile, diagnostics: Diagnostics): Token[] {
  const { text } = file;
  const tokens: Token[] = [];
  let at = 0;
  let lineStart = true;
  let spaceBefore = false;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const push = (kind: TokenKind, length: number, value: string, integer?: IntegerLiteral): void => {
    const span = { file, start: at, end: at + length };
    tokens.push({ kind, text: value, span, lineStart, spaceBefore, ...(integer && { integer }) });
    at += length;
    lineStart = spaceBefore = false;
  };

  while (at < text.length) {
    if (text[at] === '\n') {
      at++;
      lineStart = spaceBefore = true;
      continue;
    }
    const blank = match(BLANK);
    if (blank) {
      // A multi-line comment does not end a preprocessor directive, but the text after the comment is on a new line.
      if (/\*[\s\S]*\n[\s\S]*\*\//.test(blank[0])) lineStart = true;
      at += blank[0].length;
      spaceBefore = true;
      continue;
    }
    if (text.startsWith('/*', at)) {
      diagnostics.error({ file, start: at, end: at + 2 }, 'this comment is never closed');
      break;
    }
    const name = match(NAME);
    if (name) {
      push('name', name[0].length, name[0]);
      continue;
    }
    const number = match(NUMBER);
    if (number) {
      push('integer', number[0].length, number[0], integerLiteral(number[0]));
      continue;
    }
    const string = match(STRING);
    if (string) {
      const value = (string[1] ?? '').replace(/\\([\s\S])/g, (_, c: string) => ESCAPES[c] ?? c);
      push('string', string[0].length, value);
      continue;
    }
    // An unknown character becomes a token, because the preprocessor may remove this part of the text. Otherwise the
    // parser rejects the token.
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, at)) ?? text[at] ?? '';
    push('symbol', symbol.length, symbol);
  }
  return tokens;
}

function integerLiteral(text: string): IntegerLiteral {
  const [, widthText, kind, digits = ''] = /^(?:([0-9]+)([ws]))?(.*)$/.exec(text) ?? [];
  const plain = digits.replaceAll('_', '').replace(/^0[dD]/, '');
  return {
    value: BigInt(plain.replace(/^0+(?=[0-9])/, '') || '0'),
    width: widthText === undefined ? undefined : Number(widthText),
    signed: kind === 's',
  };
}
