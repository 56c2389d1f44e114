/**
 * Returns the key by which a client's connections are counted: an IPv4 address, possibly mapped to IPv6 (RFC 4291
 * §2.5.5.2), or the /64 prefix of an IPv6 address, because all 2^64 addresses of a prefix may belong to one client
 * (§2.5.4).
 */
export function addressBlock(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = '', after] = address.replace(/%.*/, '').split('::', 2);
  const parseGroups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [parseGroups(before), parseGroups(after ?? '')];
  const zeros = after === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
