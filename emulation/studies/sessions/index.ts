import { named } from '../../../system/command-line/suggestion.ts';
import type { Study } from '../../harness/runs/study.ts';
import { abLab, bufferPaper } from './buffer-paper.ts';
import { postcards } from '../postcards/postcards.ts';
import { calibrate } from '../calibrate/calibrate.ts';
import { burst } from './burst.ts';
import { history } from './history.ts';
import { bufferVideo } from '../buffer-video/buffer-video.ts';
import { pantheon } from '../pantheon/pantheon.ts';
import { neighborHttp, neighborTcp, neighborUdp, neighborVideo } from './neighbors.ts';
import { neighborliness } from './neighborliness.ts';
import { networks } from './networks.ts';
import { paper } from '../paper/paper.ts';
import { single } from './single.ts';
import { slowLinks } from './slow-links.ts';
import { starts } from './starts.ts';
import { traces } from './traces.ts';
import { tradeoff } from './tradeoff.ts';
import { search } from '../search/search.ts';
import { trial } from '../trial/trial.ts';
import { world } from '../world/world.ts';

/** All studies. To add one, add a file and a line here. */
export const studies: readonly Study[] = [
  single,
  neighborUdp,
  neighborTcp,
  neighborHttp,
  neighborVideo,
  neighborliness,
  networks,
  slowLinks,
  burst,
  tradeoff,
  history,
  starts,
  traces,
  bufferPaper,
  abLab,
  bufferVideo,
  pantheon,
  paper,
  postcards,
  calibrate,
  world,
  search,
  trial,
];

/**
 * Finds a study by name. If there is none, throws an Error that lists the studies and suggests a similar name; if
 * several studies have the name, throws an Error that says so.
 */
export function findStudy(name: string, among = studies): Study {
  const { length } = among.filter((candidate) => candidate.name === name);
  if (length > 1) throw new Error(`${length} studies are called '${name}'; give each a name of its own`);
  return named('study', name, among);
}
