/**
 * Splits a list of structured fields (RFC 8941) such as `a;x=1, b` at its commas. CMCD and Server-Timing use such
 * lists. Commas in quoted strings do not separate; the items of an inner list are separated by spaces.
 */
export const splitMembers = (list: string): string[] =>
  (list.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [])
    .map((member) => member.trim())
    .filter((member) => member !== '');
