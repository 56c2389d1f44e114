/**
 * The header with the client's autonomous system number. The layer that owns the client's socket (edge/local, VCL) sets
 * it for the handler, and removes a header of this name that a client sends.
 */
export const CLIENT_AS_HEADER = 'X-Sammy-Client-As';

/** The placeholder, in the name of a cluster, for the client's autonomous system number. */
const AS_NUMBER = '{asn}';

/** The largest autonomous system number, which has 32 bits (RFC 6793). */
export const LARGEST_AS = 2 ** 32 - 1;

/** Whether sessions of different autonomous systems are in different clusters. */
export const isByAs = (cluster: string): boolean => cluster.includes(AS_NUMBER);

/** Whether every cluster name that a pattern can produce is valid in headers, files and configurations. */
export const isCluster = (pattern: string): boolean =>
  /^[\w.:-]{1,64}$/.test(pattern.replaceAll(AS_NUMBER, String(LARGEST_AS)));

/**
 * Returns the cluster of a request: `cluster` with `{asn}` replaced by the client's autonomous system number, or by 0,
 * which is reserved (RFC 7607), if the number is unknown.
 */
export function getCluster(cluster: string, headers: Pick<Headers, 'get'>): string {
  if (!isByAs(cluster)) return cluster;
  const told = headers.get(CLIENT_AS_HEADER) ?? '';
  const isNumber = /^[1-9]\d{0,9}$/.test(told) && Number(told) <= LARGEST_AS;
  return cluster.replaceAll(AS_NUMBER, isNumber ? told : '0');
}
