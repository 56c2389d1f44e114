import { serveWork } from '../../../system/processes/serve-work.ts';
import { runLink } from './run-link.ts';
import { linkWork } from './ran-links.ts';

serveWork(linkWork, () => Promise.resolve(runLink));
