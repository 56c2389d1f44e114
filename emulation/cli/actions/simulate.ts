import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { TRACES_OPTIONS } from '../../studies/experiments/traces.ts';
import { HARNESS_OPTIONS } from '../../harness/runs/harness-options.ts';

export const { help } = defineCommandLine({
  command: 'npm run lab -- simulate',
  usage: 'STUDY|--traces FILE|DIR [options]',
  about:
    "The old spelling of 'run STUDY --link virtual': what 'run' does, in virtual time, with the plug-in's own core and a model of dash.js and TCP, or with --backend page dash.js itself: seconds instead of hours, without root; 'validate' says how true it is. Without a study, of 'run traces --exact-links --link virtual': on the traces of a file as they are.",
  options: { ...TRACES_OPTIONS, ...HARNESS_OPTIONS },
});

export { simulate as main } from './run.ts';
