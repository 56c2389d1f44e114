import { pacedFetch } from '../../src/loop/paced-fetch.ts';

/** A program that downloads at once, or by a deadline: `download.ts URL DEADLINE_S`, where 0 is at once. Prints how long it took, s. */
const [url = '', deadline = '0'] = process.argv.slice(2);
const since = performance.now();
const response = await (Number(deadline) > 0
  ? pacedFetch(url, { deadline_s: Number(deadline) })
  : fetch(url));
if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
await response.body.pipeTo(new WritableStream());
console.log(((performance.now() - since) / 1000).toFixed(1));
process.exit();
