// Descriptions of the npm scripts, in the order of `npm run help`. Plain JavaScript, because help must run before anything is
// installed.

/** @type {Record<string, string>} */
export const abouts = {
  start: 'the demo: stock dash.js and Sammy side by side, with the traffic of each',
  edge: 'runs an edge that paces, for a folder or an origin',
  'edge:nginx': "builds the module for this machine's nginx, and tries it",
  'edge:compute': 'runs the edge as a Fastly Compute service in Viceroy, with Varnish in front',
  media: 'makes a DASH ladder with a sidecar from a video file',
  lab: 'runs experiments on emulated links and in virtual time',
  experiment: 'analyzes experiments on sessions that share links',
  'demo:experiment': 'runs a whole experiment on loopback, in a few minutes',
  learn: 'trains a predictor of transmission times on sessions',
  transport: 'runs Indigo and other QUIC congestion controllers, in virtual time and over UDP',
  p4: 'the P4 compiler and switch',
  doctor: 'lists what is missing on this machine, and how to install it',
  check: 'checks format, lint, types and unit tests; --changed checks only your changes',
  test: 'runs the tests, in a real Chromium, Firefox and WebKit',
  'test:all': 'runs all tests: also full matrices, fuzzers, Viceroy, the virtual machine',
  build: "builds the plug-in's dist/",
  release: 'makes and checks what a release publishes',
  fuzz: 'sends hostile inputs to the edges and the P4 switch',
  bench: 'measures accuracy, size and speed on this machine',
  docs: 'serves the documentation, with live reload',
  'docs:build': 'builds the documentation site',
  'demo:picture': "makes the README's picture again",
  help: 'prints this list',
};

/**
 * Returns the npm command line that starts a command. npm starts two of them without `run`.
 * @param {string} name
 * @returns {string}
 */
export const npmWords = (name) => (name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`);

/** Prints the list of commands. */
export function printCommands() {
  const lines = Object.entries(abouts).map(([name, about]) => `  ${npmWords(name).padEnd(26)}${about}`);
  console.log(
    `${lines.join('\n')}\n\nEach has --help, as in npm run edge -- --help. The documentation: npm run docs`,
  );
}
