import { serveWork } from '../../../system/processes/serve-work.ts';
import { runLink } from './run-link.ts';
import { ranLinks } from './ran-links.ts';

serveWork(ranLinks, () => Promise.resolve(runLink));
