/** With three digits that count: 0.0286, 1.43, 166, 12300. */
export const significant = (value: number): string => String(Number(value.toPrecision(3)));

/** Of a share from 0 to 1. */
export const percent = (share: number): string => `${significant(share * 100)}%`;
