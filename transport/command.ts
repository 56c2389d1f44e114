import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { progressPrinter } from '../system/progress.ts';
import { buildTransport } from './build.ts';

export const help = `
QUIC congestion control in virtual time and over UDP: Indigo beside quinn's cubic, reno and bbr. Needs Rust (cargo).

    npm run transport -- send ADDRESS:PORT --controller cubic|reno|bbr|indigo   sends over UDP as fast as it may
    npm run transport -- receive --port N                                       receives
    npm run transport -- simulate --controller NAME [--rate-mbps N] ...         flows over one link in virtual time
    npm run transport -- help [COMMAND]                                         all options
`;

/** `npm run transport`: builds the crate, and runs its program with these arguments. */
export async function main(args: string[]): Promise<void> {
  if (args.length === 0) {
    console.log(help.trim());
    return;
  }
  const print = progressPrinter();
  const program = await buildTransport(print).finally(() => print.end());
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  process.exitCode = code ?? 1;
}
