import type { Command } from './commands.ts';

export const help = `
npm run fuzz -- NAME [--runs N] [--seed N]

Hostile inputs, with what once failed kept and tried first. The exit status is 1 if an input failed.

  edge      clients of the Node edge: CMCD for the policy and the handler, raw requests for a socket
  nginx     clients of nginx with the module, under AddressSanitizer
  vcl       CMCD values for Varnish with the snippets
  beacons   rows of sessions that hostile pages send
  p4        mutated P4 programs and frames (--programs N --frames N)
`;

const TARGETS: Readonly<Record<string, () => Promise<Pick<Command, 'main'>>>> = {
  edge: () => import('../edge/fuzz/main.ts'),
  nginx: () => import('../edge/nginx/fuzz.ts'),
  vcl: () => import('../edge/vcl/fuzz.ts'),
  beacons: () => import('../edge/fuzz/beacons.ts'),
  p4: async () => {
    const { main } = await import('../p4/command.ts');
    return { main: (args) => main(['fuzz', ...args]) };
  },
};

export async function main([name = '', ...args]: string[]): Promise<void> {
  if (!Object.hasOwn(TARGETS, name))
    throw new Error(`there is no fuzzer '${name}'; expected one of ${Object.keys(TARGETS).join(', ')}`);
  await (await TARGETS[name]?.())?.main(args);
}
