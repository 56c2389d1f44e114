/**
 * Splits `a;x=1, b`, a list of structured fields (RFC 8941) as used by CMCD and Server-Timing, at its commas. Commas are text
 * only in quoted strings; the items of an inner list are separated by spaces.
 */
export const splitMembers = (list: string): string[] =>
  (list.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [])
    .map((member) => member.trim())
    .filter((member) => member !== '');
