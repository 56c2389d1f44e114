import { serveWork } from '../../../system/processes/serve-work.ts';
import { partWriter } from './trial-player.ts';
import { playedParts } from './virtual-time.ts';

serveWork(playedParts, partWriter);
