import { serveWork } from '../../../system/work/serve-work.ts';
import { runLink } from './run-link.ts';
import { ranLinks } from './ran-links.ts';

serveWork(ranLinks, () => Promise.resolve(runLink));
