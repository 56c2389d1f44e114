/**
 * The allowed imports, checked by `depcruise`: between packages, within the plug-in's core, and between the layers of the
 * lab. Type imports count; tests may import from anywhere.
 */

/**
 * The other packages that each package may import. `demo`, `docs`, `e2e`, `bench` and `tools` may import all packages.
 */
const PACKAGES = {
  src: [],
  p4: ['system'],
  system: [],
  media: ['src', 'system'],
  analysis: ['src', 'system'],
  edge: ['src', 'system'],
  transport: ['system'],
  emulation: ['edge', 'media', 'src', 'p4', 'buffers', 'transport', 'system'],
  buffers: ['edge', 'emulation', 'p4', 'src', 'system'],
};
const ALL_PACKAGES = [...Object.keys(PACKAGES), 'demo', 'e2e', 'bench', 'tools', 'docs'];

/** The folders of the player adapters. Only the package's entries import adapters. */
const ADAPTERS = ['dash', 'hls', 'shaka', 'loop'];

/** Matches the core of the plug-in: everything in src/ except the adapters, `host` and the entries. */
const CORE = `^src/(?!(host|${ADAPTERS.join('|')})/|(index|dashjs-4|hls|shaka|planner|planner-chunk|experiment/index)\\.ts$)`;

/**
 * The layers of the lab, lowest first. A layer imports only from itself and lower layers. The buffer-sizing lab and
 * the player's layer must not import each other.
 */
const LAYERS = [
  '^emulation/ground/',
  '^emulation/network/',
  '^emulation/host/',
  '^emulation/harness/',
  '^buffers/',
  '^emulation/player/',
  '^emulation/studies/',
  '^emulation/cli/',
];
const BUFFERS = '^buffers/';

const layerRules = LAYERS.slice(0, -1).map((layer, index) => ({
  name: `lab-layer-${layer.replaceAll(/\W|emulation/g, '')}`,
  comment: 'It imports from its own layer and those below it only: see LAYERS in .dependency-cruiser.mjs',
  severity: 'error',
  from: { path: layer },
  to: {
    path: LAYERS.filter((other, at) => at > index || (other === BUFFERS && layer.endsWith('player/'))),
  },
}));

const packageRules = Object.entries(PACKAGES).map(([name, mayImport]) => ({
  name: `package-${name}`,
  comment:
    mayImport.length > 0
      ? `${name} imports from ${mayImport.join(', ')} only`
      : `${name} imports from no other package`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: {
    path: `^(${ALL_PACKAGES.filter((other) => other !== name && !mayImport.includes(other)).join('|')})/`,
  },
}));

/**
 * LISTED matches folders in which each file must be registered in a list. STARTED_BY_PATH matches programs that are
 * started by their path instead.
 */
const LISTED =
  '^(src/(abr|pace)|emulation/(player/(arms|neighbors)|network/(edges|schemes)|studies/sessions)|buffers/flows/figures|p4/externs)/';
const STARTED_BY_PATH = '^emulation/player/neighbors/tcp/tcp-receiver\\.ts$';

/**
 * Statements contain expressions and expressions contain statements, so the files that parse or check them import each
 * other.
 */
const GRAMMAR = '^p4/compiler/(parser|check)/';

export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      from: { pathNot: GRAMMAR },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'core-imports-nothing',
      comment: 'The core knows no package, no page, no player and no machine',
      severity: 'error',
      from: { path: CORE },
      to: { pathNot: CORE },
    },
    {
      name: 'abr-below-session',
      comment: 'What an algorithm and the session both need lies below both',
      severity: 'error',
      from: { path: '^src/(abr|pace|learning|film|wire)/' },
      to: { path: '^src/session/' },
    },
    {
      name: 'host-knows-no-player',
      severity: 'error',
      from: { path: '^src/host/' },
      to: { path: `^src/(${ADAPTERS.join('|')})/` },
    },
    {
      name: 'listed',
      comment: 'The line of this file in its list was forgotten',
      severity: 'error',
      module: { path: LISTED, pathNot: STARTED_BY_PATH, numberOfDependentsLessThan: 1 },
      from: {},
    },
    {
      name: 'lab-folder-without-layer',
      comment: 'It belongs to one of LAYERS in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: '^emulation/', pathNot: LAYERS },
      to: {},
    },
    ...packageRules,
    ...layerRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(test|spec)\\.ts$|^docs/\\.vitepress/(cache|dist)|(^|/)(dist|bin|pkg)/' },
    moduleSystems: ['es6'],
  },
};
