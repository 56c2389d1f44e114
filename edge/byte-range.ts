/** The first and the last byte of a range, both included, as in Content-Range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/** Whether a Range header asks for a single range of bytes. */
export const isOneRange = (header: string): boolean => ONE_RANGE.test(header.trim());

/**
 * The one range that a Range header selects of `size` bytes (RFC 9110 §14.1.2): `bytes=0-99`, `bytes=100-`
 * or the suffix `bytes=-100`. 'whole' when there is none, or when it may be ignored: another unit, several
 * ranges, or a form that is not valid.
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
