/** The first beacon of a page, without an arm and with one metric. */
export const FIRST_BEACON = {
  version: 1,
  session_id: '0123456789abcdef',
  unit: 'viewer-1',
  sequence: 0,
  elapsed_s: 0,
  final: false,
  metrics: { played_s: 0 },
};
