import { expect, it } from 'vitest';
import { findNetworkError } from './play.ts';

it('returns the network error with which a session ended, and throws for any other error', () => {
  expect(findNetworkError({ errors: [] })).toBeUndefined();
  const timeOut = { message: 'TIMEOUT', byNetwork: true } as const;
  const decoding = { message: 'bufferAppendError' };
  expect(findNetworkError({ errors: [timeOut] })).toBe('TIMEOUT');
  expect(() => findNetworkError({ errors: [decoding] })).toThrow('the player reports: bufferAppendError');
  expect(findNetworkError({ errors: [timeOut, decoding] })).toBe('TIMEOUT');
  expect(() => findNetworkError({ errors: [decoding, timeOut] })).toThrow('bufferAppendError');
});
