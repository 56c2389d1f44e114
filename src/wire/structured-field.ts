/**
 * Splits `a;x=1, b`, a list of structured fields (RFC 8941) as CMCD and Server-Timing have it, at its commas. Only in quoted
 * strings a comma is text; the items of an inner list are separated by spaces.
 */
export const membersOf = (list: string): string[] =>
  (list.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [])
    .map((member) => member.trim())
    .filter((member) => member !== '');
