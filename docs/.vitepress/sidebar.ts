import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

const section = (text: string, folder: string, pages: Record<string, string>, collapsed = true): Item => ({
  text,
  collapsed,
  items: Object.entries(pages).map(([file, title]) => ({ text: title, link: `/${folder}/${file}` })),
});

/** The pages of algorithms, as the table of the page that compares them has them. */
function algorithmPages(): Record<string, string> {
  const page = readFileSync(new URL('../guide/algorithms/index.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| \[(.+?)\]\(\.\/([\w-]+)\.md\)/gm);
  return Object.fromEntries(Array.from(rows, ([, title = '', file = '']) => [`algorithms/${file}`, title]));
}

/** Every page of the site by section; `tools/docs/site.test.ts` holds it against the files. */
export const sidebar: Item[] = [
  section(
    'Guide',
    'guide',
    {
      start: 'Start',
      demo: 'The demo',
      live: 'Try it',
      examples: 'Examples',
      troubleshooting: 'Troubleshooting',
      options: 'Options by goal',
      'algorithms/': 'Which algorithm?',
      ...algorithmPages(),
      'own-algorithm': 'Your own algorithm',
      loop: 'Closing the loop',
      caches: 'CMCD and caches',
      'dash-js': 'What it does to dash.js',
      devices: 'Browsers and televisions',
      events: 'Events and summaries',
    },
    false,
  ),
  section(
    'Edge',
    'edge',
    {
      '': 'Which edge?',
      node: 'Node',
      nginx: 'nginx',
      varnish: 'Varnish',
      fastly: 'Fastly',
      'existing-service': 'Beside your own VCL',
      http2: 'HTTP/2 and HTTP/3',
      http3: 'Pace over HTTP/3',
      'congestion-control': 'Congestion control',
      yield: 'Yield, change a pace',
      operate: 'Operate',
      observe: 'Observe',
      security: 'Security',
      others: 'Other servers',
      limits: 'Limits',
    },
    false,
  ),
  section('Experiments', 'experiments', {
    '': 'Why A/B tests mislead',
    verdict: 'From your data to a verdict',
    designs: 'Designs',
    edge: 'At the edge',
    estimates: 'What is estimated',
    puffer: "Puffer's data",
  }),
  section('Lab', 'lab', {
    '': 'A first run',
    links: 'Real links',
    validity: 'Validity',
    page: 'dash.js without a browser',
    machine: 'A virtual clock',
    experiments: 'Each figure, its command',
    'ab-tests': 'A/B tests on one link',
    buffers: 'Buffers',
    'buffer-video': 'Buffers and video',
    pantheon: 'Congestion controls',
    world: 'A world of sessions',
    trial: 'A randomized trial',
    search: 'Search for constants',
    confirm: 'Confirm a claim',
    predictor: 'A predictor from sessions',
    indigo: 'Indigo',
    cluster: 'Many machines',
    extend: 'Extending it',
  }),
  section('P4', 'p4', { '': 'The P4 switch', switch: 'A switch in one file', internals: 'How it works' }),
  section('Results', 'results', {
    '': 'Results',
    'gallery/': 'The gallery',
    'gallery/sammy': 'Sammy',
    'gallery/unbiased': 'Unbiased Experiments',
    'gallery/buffers': 'Buffer Sizing',
    'gallery/fugu': 'Fugu, Puffer, Pantheon',
    'gallery/neighbor': 'Router buffers',
    'log/': 'The log',
    'log/sessions': 'One session',
    'log/neighbors': 'Beside a neighbor',
    'log/traces': 'Cellular traces',
    'log/slow': 'Slow networks',
    'log/machine': 'In a virtual machine',
    'log/starts': 'Starts',
    'log/paper-neighbors': 'Run paper: neighbors',
    'log/paper-links': 'Run paper: links, paces',
    'log/paper-starts': 'Run paper: starts, traces',
    'log/buffer-single': 'One flow through a buffer',
    'log/buffer-paper': 'The buffer paper',
    'log/buffer-video': 'Buffers and video',
    'log/ab-lab': 'A/B tests on one link',
    'log/ab-lab-bbr': 'A/B tests of bbr',
    'log/simulator': 'The simulator',
    'log/world': 'A world of sessions',
    'log/world-tcp': 'A world over TCP',
    'log/trial': 'A trial',
    'log/search': 'A search',
    'log/algorithms': 'Algorithms',
    'log/default': 'The default',
    'log/verdicts': 'Verdicts that mislead',
    'log/fugu': 'Fugu',
    'log/ablations': 'Fugu, its parts',
    'log/fugu-trial': 'Fugu, 300 networks',
    'log/edge': 'Plug-in and edge',
    'log/loop': 'One loop',
  }),
  section('Reference', 'reference', {
    '': 'Reference',
    'api/': 'API',
    commands: 'Commands',
    metrics: 'Metrics',
    headers: 'Headers',
    files: 'Files and schemas',
    sessions: 'Rows of sessions',
    puffer: "Puffer's open data",
    postcard: 'The postcard',
    'time-series': 'The time series',
  }),
  section('Internals', 'internals', {
    '': 'Architecture',
    testing: 'How it is tested',
    analysis: 'The analysis',
  }),
  {
    text: 'Project',
    collapsed: true,
    items: [
      { text: 'Contributing', link: '/contributing' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/guide/start', activeMatch: '^/guide/' },
  { text: 'Edge', link: '/edge/', activeMatch: '^/edge/' },
  { text: 'Experiments', link: '/experiments/', activeMatch: '^/experiments/' },
  { text: 'Lab', link: '/lab/', activeMatch: '^/(lab|p4)/' },
  { text: 'Results', link: '/results/', activeMatch: '^/results/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/(reference|internals)/' },
];
