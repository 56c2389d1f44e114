import { defineCommands } from '../system/command-line/command-line.ts';
import type { Command } from './commands.ts';

/** The fuzzers. Each one is a command with its own options. */
export const actions: Readonly<Record<string, { readonly about: string; load(): Promise<Command> }>> = {
  edge: {
    about: 'clients of the Node edge: CMCD for the policy and the handler, raw requests for a socket',
    load: () => import('../edge/fuzz/main.ts'),
  },
  nginx: {
    about: 'clients of nginx with the module, under AddressSanitizer',
    load: () => import('../edge/nginx/fuzz.ts'),
  },
  vcl: {
    about: 'CMCD values for Varnish with the snippets',
    load: () => import('../edge/vcl/fuzz.ts'),
  },
  beacons: {
    about: 'rows of sessions that hostile pages send',
    load: () => import('../edge/fuzz/beacons.ts'),
  },
  p4: {
    about: 'mutated P4 programs and frames',
    load: () => import('../p4/fuzz-command.ts'),
  },
};

const commands = defineCommands('npm run fuzz --', 'NAME [options]', actions);

export const help = `
${commands.help}

Inputs that failed before are kept, and tried first. Options of a fuzzer: npm run fuzz -- NAME --help
`;

export async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) {
    console.log(help.trim());
    return;
  }
  await (await actions[commands.named(name)]?.load())?.main(args);
}
