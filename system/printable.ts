/** Matches control, format and unassigned characters, lone surrogates, and line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes every character that could control a terminal or look like a new line. Paths in HTTP/2 may contain U+0080 to
 * U+009F, and U+009B begins a terminal's control sequence.
 */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
