// The program of a part's process: runs the part named by the first argument, and writes its counts to the file named
// by the second argument.
import { writeFileSync } from 'node:fs';
import { runStages } from '../testing/run-stages.ts';
import { PARTS } from './parts.ts';

const [name, countsFile] = process.argv.slice(2);
const part = PARTS.find((each) => each.name === name);
if (!part || countsFile === undefined) throw new Error('run-part.ts needs the name of a part and a file');
writeFileSync(countsFile, JSON.stringify(await runStages(await part.stages())));
