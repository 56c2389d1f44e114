/** Control, format and unassigned characters, lone surrogates, and the separators of lines and paragraphs. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * The text with every character escaped that could act on a terminal or look like another line: HTTP/2 carries the controls
 * U+0080 to U+009F in paths, and U+009B begins a terminal's control sequence.
 */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
