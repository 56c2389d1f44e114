/** The positions of a range's first and last byte, as in Content-Range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/** Whether a Range header asks for a single range of bytes. */
export const isOneRange = (header: string): boolean => ONE_RANGE.test(header.trim());

/**
 * Returns the range that a Range header selects from `size` bytes (RFC 9110 §14.1.2): `bytes=0-99`, `bytes=100-` or the
 * suffix `bytes=-100`. Returns 'whole' if there is no Range header, or if it may be ignored because of another unit,
 * several ranges, or invalid syntax.
 */
export function selectRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = ONE_RANGE.exec(header?.trim() ?? '');
  const [, firstText = '', lastText = ''] = match ?? [];
  if (firstText === '' && lastText === '') return 'whole';

  if (firstText === '') {
    const length = Math.min(Number(lastText), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(firstText);
  const last = lastText === '' ? Infinity : Number(lastText);
  if (last < first) return 'whole';
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
}
