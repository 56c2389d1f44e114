import { createHandler } from '../edge/handler.ts';
import { startEdge } from '../edge/local/server.ts';
import { paceLimits } from '../edge/policy.ts';

/**
 * The edge that the benchmarks measure. It runs in its own process, so that its CPU time can be measured. The first
 * argument is the size in bytes of the object that it serves, the second its congestion control. It sends its URL to
 * the parent when it is ready, and answers every message with its CPU seconds so far.
 */
const [size = '', congestionControl = ''] = process.argv.slice(2);
const chunk = new Uint8Array(250_000);

const media = (): ReadableStream<Uint8Array> => {
  let left = Number(size);
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
      if (left === 0) controller.close();
    },
  });
};
const edge = await startEdge({
  handler: createHandler({
    origin: () => Promise.resolve(new Response(media(), { headers: { 'Content-Length': size } })),
    limits: paceLimits(),
  }),
  ...(congestionControl !== '' && { congestionControl }),
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e6);
});
process.on('disconnect', () => process.exit());
process.send?.(edge.url);
