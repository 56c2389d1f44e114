/**
 * What connections are counted by: an IPv4 address, also one written as IPv6 (RFC 4291 §2.5.5.2), or the /64 of an IPv6
 * address, since all 2^64 addresses of one belong to the same network (§2.5.4) and a single client can have them all.
 */
export function addressBlock(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [before = '', after] = address.replace(/%.*/, '').split('::', 2);
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = after === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
