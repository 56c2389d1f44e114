import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { benchCost, benchPacing } from './pacing.ts';
import { benchChain, chainBenchLines } from './chain.ts';
import { benchP4, p4BenchLines } from '../p4/bench.ts';
import { main as buildPlugin } from '../tools/build.ts';
import { benchCmcdMode } from './cmcd-mode.ts';
import { consumerBundle, LARGEST_CONSUMER_BUNDLE_BYTES } from '../tools/consumer-bundle.ts';
import { benchDecision, decisionLines } from './decision-cost.ts';
import { benchPage, PAGE_ARMS, pageLines } from './page.ts';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { suggestionFor } from '../system/command-line/suggestion.ts';
import { root } from '../tools/steps.ts';

/** Benchmarks with options of their own, which take longer or need root. */
export const actions: Readonly<Record<string, { readonly about: string; load(): Promise<Benchmark> }>> = {
  load: { about: "the edge's cost under load, beside nginx", load: () => import('./load.ts') },
  attack: {
    about: 'what attacks on the edge cost, and what other clients notice',
    load: () => import('./attack.ts'),
  },
  nginx: { about: 'how closely and smoothly the nginx module paces', load: () => import('./nginx.ts') },
  algorithms: {
    about: 'stalls and SSIM of each ABR algorithm, in the simulator',
    load: () => import('./algorithms/main.ts'),
  },
  learnt: {
    about: 'the rule learnt by reinforcement beside the others',
    load: () => import('./algorithms/learnt/main.ts'),
  },
};

interface Benchmark {
  readonly help: string;
  main(args: string[]): Promise<void>;
}

/** The benchmarks that can also run alone. */
const ALONE = {
  switch: { about: 'only the P4 switch, two and a half minutes' },
  page: { about: 'only dash.js without a browser, half a minute' },
  decision: { about: "only the algorithms' decisions in a browser, a minute" },
};
const NAMES = { ...ALONE, ...actions };

const commandLine = defineCommandLine({
  command: 'npm run bench --',
  usage: '[NAME] [options]',
  about:
    'The figures of docs/results/log/edge.md, measured on this machine, in about seven minutes. What can be compared is measured side by side in one run.',
  maxPositionals: 1,
  options: {},
});

export const help = `
${commandLine.help}

One benchmark by its name; those from load on take longer or need root, and have options (npm run bench -- NAME --help):
${Object.entries(NAMES)
  .map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
  .join('\n')}
`;

const say = (text: string) => {
  console.error(text);
};

export async function main(args: readonly string[]): Promise<void> {
  const [name = '', ...others] = args;
  if (Object.hasOwn(actions, name)) return (await actions[name]?.load())?.main(others);
  const [only] = commandLine.parse(args).positionals;
  if (only === undefined) return benchAll();
  if (only === 'switch') return benchSwitch();
  if (!Object.hasOwn(ALONE, only))
    throw new Error(
      `there is no benchmark '${only}'${suggestionFor(only, Object.keys(NAMES))}; expected ${Object.keys(NAMES).join(', ')}`,
    );
  await buildPlugin();
  if (only === 'page') benchInProcess();
  else await benchDecisions();
}

async function benchSwitch(): Promise<void> {
  say('\nThe P4 switch, against a forwarder without a program, about two and a half minutes ...');
  console.log(p4BenchLines(await benchP4()).join('\n'));
}

function benchInProcess(): void {
  say('\ndash.js without a browser, stock and with the plug-in, about half a minute ...');
  console.log(pageLines(benchPage(PAGE_ARMS)).join('\n'));
}

async function benchDecisions(): Promise<void> {
  say('\nDecision cost in a browser, about a minute ...');
  console.log('A decision: rule, pace and rtp');
  console.log(decisionLines(await benchDecision()).join('\n'));
}

async function benchAll(): Promise<void> {
  await buildPlugin();
  const { gzipped_bytes } = await consumerBundle();
  const scriptTag_bytes = gzipSync(await readFile(join(root, 'dist/dashjs-sammy.umd.js')), {
    level: 9,
  }).length;
  const kB = (bytes: number) => (bytes / 1000).toFixed(1);
  console.log(
    `Plug-in, minified and gzipped: ${kB(gzipped_bytes)} kB in an application's bundle ` +
      `(target: at most ${kB(LARGEST_CONSUMER_BUNDLE_BYTES)}), ${kB(scriptTag_bytes)} kB for a script tag`,
  );

  say('\nPacing accuracy, five objects of 4 MB at once, about 20 s ...');
  console.log('Goodput over rtp, past the first megabyte (target: 0.95 to 1.03)');
  for (const { rtp_kbps, goodput_kbps, ratio } of await benchPacing()) {
    console.log(
      `  ${rtp_kbps / 1000} Mbit/s: ${(goodput_kbps / 1000).toFixed(2)} Mbit/s, ${ratio.toFixed(3)}`,
    );
  }

  say('\nCPU cost, paced against unpaced, about 10 s ...');
  const { paced_cpu_s_per_gb, unpaced_cpu_s_per_gb, ratio } = await benchCost();
  console.log(
    `Server CPU: ${paced_cpu_s_per_gb.toFixed(2)} s/GB paced, ${unpaced_cpu_s_per_gb.toFixed(2)} s/GB unpaced, ratio ${ratio.toFixed(2)}`,
  );

  say('\nThe deployable chain, Varnish before Compute in Viceroy, about 90 s ...');
  const chain = await benchChain();
  console.log(
    'missing' in chain ? `The chain is skipped: ${chain.missing}` : chainBenchLines(chain).join('\n'),
  );

  benchInProcess();
  await benchSwitch();

  await benchDecisions();

  say('\nrtp in the URL or in a header, over a round trip of 40 ms, about a minute ...');
  for (const cost of await benchCmcdMode()) {
    const own = cost.own_cmcd ? ', beside CMCD of the application' : '';
    console.log(
      `${cost.cmcd}${own}: play delay ${cost.play_delay_ms.toFixed(0)} ms, a segment's first byte after ${cost.first_byte_ms.toFixed(0)} ms, ${cost.preflights_per_segment.toFixed(2)} preflights a segment`,
    );
  }
}
