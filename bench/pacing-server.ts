import { createHandler } from '../edge/handler.ts';
import { startEdge } from '../edge/local/server.ts';
import { paceLimits } from '../edge/policy.ts';

/**
 * The edge that the benchmarks measure, in a process of its own so that its CPU time is its own. Serves one
 * object of as many bytes as the first argument says, under the congestion control that the second names.
 * Sends its URL when it is up, and answers every message with the CPU seconds it has used.
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
