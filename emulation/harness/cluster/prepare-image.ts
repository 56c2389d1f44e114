// The step of the Dockerfile that uses the project's own code: installs mahimahi with its iptables, and makes the
// video.
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { installMahimahi } from '../../host/setup/mahimahi.ts';

const print = progressPrinter();
await installMahimahi(print, { traces: true });
const { title } = await ensureDefaultContent({ onProgress: print });
print.end();
console.log(`The video is ${title}.`);
