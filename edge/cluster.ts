/**
 * The header in which the layer that owns the client's socket (edge/local, VCL) passes the client's autonomous system number
 * to the handler. That layer removes or replaces a client's own header of this name.
 */
export const CLIENT_AS_HEADER = 'X-Sammy-Client-As';

/** Stands in the name of a cluster for the number of the client's autonomous system. */
const AS_NUMBER = '{asn}';

/** The largest number of an autonomous system, which has 32 bits (RFC 6793). */
export const LARGEST_AS = 2 ** 32 - 1;

/** Whether sessions of different autonomous systems are in different clusters. */
export const isByAs = (cluster: string): boolean => cluster.includes(AS_NUMBER);

/** Whether every cluster name that the pattern can produce is valid in headers, files and configurations. */
export const isCluster = (pattern: string): boolean =>
  /^[\w.:-]{1,64}$/.test(pattern.replaceAll(AS_NUMBER, String(LARGEST_AS)));

/**
 * The cluster of a request: the edge's own, with `{asn}` replaced by the client's autonomous system number. If unknown, the
 * number is 0, which is reserved (RFC 7607).
 */
export function getCluster(cluster: string, headers: Pick<Headers, 'get'>): string {
  if (!isByAs(cluster)) return cluster;
  const told = headers.get(CLIENT_AS_HEADER) ?? '';
  const isNumber = /^[1-9]\d{0,9}$/.test(told) && Number(told) <= LARGEST_AS;
  return cluster.replaceAll(AS_NUMBER, isNumber ? told : '0');
}
