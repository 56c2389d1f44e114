import { ErrorDetails, ErrorTypes, type ErrorData } from 'hls.js';
import { expect, it } from 'vitest';
import { nameDashjsNetworkError, nameHlsjsNetworkError, nameShakaNetworkError } from './network-errors.ts';

const timeOut: Pick<ErrorData, 'type' | 'fatal' | 'details'> = {
  type: ErrorTypes.NETWORK_ERROR,
  fatal: true,
  details: ErrorDetails.AUDIO_TRACK_LOAD_TIMEOUT,
};
const answer = (code: number) => ({ response: { url: '', code } });

it("names hls.js's fatal network errors, unless the server has answered", () => {
  expect(nameHlsjsNetworkError(timeOut)).toBe('audioTrackLoadTimeOut');
  const failed = { ...timeOut, details: ErrorDetails.FRAG_LOAD_ERROR };
  expect(nameHlsjsNetworkError({ ...failed, ...answer(0) })).toBe('fragLoadError');
  expect(nameHlsjsNetworkError({ ...failed, ...answer(404) })).toBeUndefined();
  const invalid = { ...timeOut, details: ErrorDetails.MANIFEST_PARSING_ERROR };
  expect(nameHlsjsNetworkError({ ...invalid, ...answer(200) })).toBeUndefined();
  expect(nameHlsjsNetworkError({ ...timeOut, fatal: false })).toBeUndefined();
  expect(nameHlsjsNetworkError({ ...timeOut, type: ErrorTypes.MEDIA_ERROR })).toBeUndefined();
});

it("names Shaka's critical network errors, except HTTP statuses and errors of request filters", () => {
  const error = { severity: 2, category: 1, code: 1003 };
  expect(nameShakaNetworkError(error)).toBe('TIMEOUT');
  expect(nameShakaNetworkError({ ...error, code: 1002 })).toBe('HTTP_ERROR');
  expect(nameShakaNetworkError({ ...error, code: 1001 })).toBeUndefined();
  expect(nameShakaNetworkError({ ...error, code: 1006 })).toBeUndefined();
  expect(nameShakaNetworkError({ ...error, severity: 1 })).toBeUndefined();
  expect(nameShakaNetworkError({ ...error, category: 3 })).toBeUndefined();
  expect(nameShakaNetworkError(new Error('not an error of Shaka') as object)).toBeUndefined();
});

it("names dash.js's errors of downloads, unless the server has answered", () => {
  expect(nameDashjsNetworkError({ code: 27, data: { response: { status: null } } })).toBe(
    'DOWNLOAD_ERROR_ID_CONTENT',
  );
  // The network failed while the body arrived.
  expect(nameDashjsNetworkError({ code: 27, data: { response: { status: 200 } } })).toBe(
    'DOWNLOAD_ERROR_ID_CONTENT',
  );
  expect(nameDashjsNetworkError({ code: 25 })).toBe('DOWNLOAD_ERROR_ID_MANIFEST');
  expect(nameDashjsNetworkError({ code: 27, data: { response: { status: 404 } } })).toBeUndefined();
  // The manifest is no XML.
  expect(nameDashjsNetworkError({ code: 10 })).toBeUndefined();
  // A segment cannot be appended.
  expect(nameDashjsNetworkError({ code: 20, data: null })).toBeUndefined();
});
