import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the number of datagrams that the kernel dropped because the receive buffer of a socket on this port was full.
 * Reads it from the last column of /proc/net/udp, whose second column is `ADDRESS:PORT` in hexadecimal.
 */
export function parseUdpDrops(table: string, port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  let drops = 0;
  for (const line of table.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields[1]?.endsWith(suffix)) drops += Number(fields.at(-1)) || 0;
  }
  return drops;
}

/** Counts the drops in this process's network namespace; 0 if there is no /proc. */
export function kernelDrops(port: number): number {
  const tables = ['/proc/self/net/udp', '/proc/self/net/udp6'].filter((path) => existsSync(path));
  return tables.reduce((drops, path) => drops + parseUdpDrops(readFileSync(path, 'utf8'), port), 0);
}
