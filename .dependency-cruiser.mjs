/**
 * What may import what, checked by `depcruise`: the arrows between packages, the purity of the plug-in's core, and the layers
 * of the lab. Types count as imports; tests may import from anywhere.
 */

/** What the sources of a package may import of other packages. `demo`, `docs`, `e2e`, `bench` and `tools` may import all. */
const PACKAGES = {
  src: [],
  p4: ['system'],
  system: [],
  media: ['src', 'system'],
  analysis: ['src', 'system'],
  edge: ['src', 'system'],
  emulation: ['edge', 'media', 'src', 'p4', 'buffers', 'system'],
  buffers: ['edge', 'emulation', 'p4', 'src', 'system'],
};
const ALL_PACKAGES = [...Object.keys(PACKAGES), 'demo', 'e2e', 'bench', 'tools', 'docs'];

/** The adapters that know a player. Only the entries of the package import them. */
const ADAPTERS = ['dash'];

/** The core of the plug-in: everything in src/ but the adapters, `host` and the entries. */
const CORE = `^src/(?!(host|${ADAPTERS.join('|')})/|(index|dashjs-4|experiment/index)\\.ts$)`;

/** The layers of the lab, the lowest first: a folder imports only from folders of the layers below its own. */
const LAYERS = [
  ['clock', 'files', 'statistics', 'programs', 'edges', 'congestion', 'virtual/fluid'],
  ['drawing', 'arms', 'measure', 'page', 'machine'],
  ['neighbours', 'links'],
  ['setup', 'virtual/rounds'],
  ['runs', 'cluster'],
  ['session'],
  ['simulator', 'report', 'page/lab'],
  ['viewers', 'export', 'page/in-process'],
  ['sessions', 'world', 'page/sockets'],
  ['simulate/runs'],
  ['experiments'],
  ['paper', 'simulate'],
  ['search', 'trial', 'confirm'],
  ['actions'],
];
const FOLDERS = LAYERS.flat();

/** Matches the files of a folder of the lab, without those of a folder within it that has a layer of its own. */
function filesOf(folder) {
  const inner = FOLDERS.filter((other) => other.startsWith(`${folder}/`));
  const others = inner.map((other) => `${other.slice(folder.length + 1)}/`).join('|');
  return `^emulation/${folder}/${inner.length > 0 ? `(?!${others})` : ''}`;
}

const layerRules = LAYERS.flatMap((layer, index) =>
  layer.map((folder) => ({
    name: `lab-layer-${folder}`,
    comment: `emulation/${folder} imports from the layers below it only: see LAYERS in .dependency-cruiser.mjs`,
    severity: 'error',
    from: { path: filesOf(folder) },
    to: { path: '^emulation/', pathNot: [folder, ...LAYERS.slice(0, index).flat()].map(filesOf) },
  })),
);

/** The folders of the lab from which the buffer-sizing lab imports; those above them may import from it. */
const BELOW_BUFFERS = LAYERS.slice(0, 5).flat();
const bufferRules = [
  {
    name: 'buffers-below-studies',
    comment: 'buffers/ knows no player and no session, and only what lists or tells of its studies knows it',
    severity: 'error',
    from: { path: '^buffers/' },
    to: { path: '^emulation/', pathNot: BELOW_BUFFERS.map(filesOf) },
  },
  {
    name: 'below-buffers',
    severity: 'error',
    from: { path: BELOW_BUFFERS.map(filesOf) },
    to: { path: '^buffers/' },
  },
];

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

/** Folders in which each file has a line in a list; some programs are started by their path. */
const LISTED = '^(src/(abr|pace)|emulation/(arms|neighbours)|p4/externs)/';
const STARTED_BY_PATH = '^emulation/neighbours/tcp/tcp-receiver\\.ts$';

/** Statements contain expressions and expressions statements, so the files that parse or check them import each other. */
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
      comment: 'Put the folder on the lowest possible layer of LAYERS in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: '^emulation/[^/]+/', pathNot: FOLDERS.map(filesOf) },
      to: {},
    },
    ...packageRules,
    ...bufferRules,
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
