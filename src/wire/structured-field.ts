/**
 * Lists of structured fields (RFC 8941), as CMCD, CMSD-Dynamic and Server-Timing have them: members with parameters. Only
 * in quoted strings a comma or a semicolon is text; the items of an inner list are separated by spaces.
 */

const partsOf = (text: string, part: RegExp): string[] =>
  (text.match(part) ?? []).map((found) => found.trim()).filter((found) => found !== '');

/** Splits `a;x=1, b` at its commas. */
export const membersOf = (list: string): string[] => partsOf(list, /(?:"(?:\\.|[^"\\])*"|[^",])+/g);

/** Splits `a;x=1` at its semicolons: what is first is the member itself. */
export const parametersOf = (member: string): string[] => partsOf(member, /(?:"(?:\\.|[^"\\])*"|[^";])+/g);
