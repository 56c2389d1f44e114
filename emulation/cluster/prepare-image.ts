// What the Dockerfile installs and makes with the project's own code: mahimahi with its iptables, and the film.
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { progressPrinter } from '../../system/progress.ts';
import { installMahimahi } from '../setup/mahimahi.ts';

const print = progressPrinter();
await installMahimahi(print, { traces: true });
const { title } = await ensureDefaultContent({ onProgress: print });
print.end();
console.log(`The film is ${title}.`);
