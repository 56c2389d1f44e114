import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { openSocketOptions, type SocketOptions } from '../../edge/local/kernel/socket-options.ts';
import { congestionControlError } from '../../edge/local/start-errors.ts';
import { kbps } from '../../src/units.ts';
import { setSocketOption } from '../../system/set-socket-option.ts';
import { joinLab } from '../../emulation/ground/programs/join-lab.ts';
import type { FlowCounts, SenderFlow, SenderSample } from './messages.ts';

/**
 * The data of one write. This program sends all flows, each from its own port. It writes until the socket's buffer is
 * full, and again after the kernel has sent a large part of the buffer, so one process suffices for all flows.
 */
const PIECE = Buffer.alloc(256 * 1024);
/**
 * A maximum pacing rate that no link here reaches. With any maximum, the kernel paces, at a rate that follows the
 * window and the round trip.
 */
const PACED = kbps(100_000_000);

// include/uapi/asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_LINGER = 13;
const SO_SNDBUFFORCE = 32;

const flows = JSON.parse(process.argv[2] ?? '[]') as SenderFlow[];
const open = new Map<number, Socket>();
const ended = new Map<number, FlowCounts>();

const options = await openSocketOptions();
if ('unavailable' in options) throw new Error(options.unavailable);
const kernel: SocketOptions = options;

const say = joinLab(() => say({ type: 'sampled', flows: sample() } satisfies SenderSample));
for (const flow of flows) await serve(flow);
say({ type: 'ready' });

/**
 * Serves one flow. The congestion control is set on the listening socket, so the connection uses it from its first
 * packet on.
 */
async function serve(flow: SenderFlow): Promise<void> {
  const server = createServer((socket) => send(flow, socket));
  server.listen({ port: flow.port, host: '0.0.0.0', backlog: 1 });
  await once(server, 'listening');
  const refused = kernel.setCongestionControl(server, flow.congestion_control);
  if (refused !== null) throw await congestionControlError(flow.congestion_control, refused);
  if (flow.paced && !kernel.setPace(server as unknown as Socket, PACED))
    throw new Error(`the kernel does not pace the flow of port ${flow.port}`);
  resetOnClose(server);
}

function send({ port, bytes, send_buffer, awaits }: SenderFlow, socket: Socket): void {
  open.set(port, socket);
  // Only for endless flows. With such a buffer, the kernel would accept all data of a finite flow at once and close the
  // connection, so no windows could be recorded.
  if (bytes === null && !setSocketOption(socket, SOL_SOCKET, SO_SNDBUFFORCE, new Int32Array([send_buffer])))
    throw new Error(`the kernel refused a buffer of ${send_buffer} bytes`);
  let left = bytes ?? Infinity;
  const write = (): void => {
    while (left > 0) {
      const piece = PIECE.subarray(0, Math.min(left, PIECE.length));
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
    socket.end();
  };
  socket
    .on('drain', write)
    .on('error', () => undefined)
    .on('close', () => open.delete(port));
  // 'end' is the last moment at which the kernel still knows the connection.
  socket.on('end', () => remember(port, socket)).resume();
  if (awaits) socket.once('data', write);
  else write();
}

function remember(port: number, socket: Socket): void {
  const counts = readCounts(port, socket);
  if (counts) ended.set(port, counts);
}

function readCounts(port: number, socket: Socket): FlowCounts | null {
  const info = kernel.readTcpInfo(socket);
  return (
    info && {
      port,
      acked_bytes: info.bytes_acked,
      sent_bytes: info.bytes_sent,
      retransmitted_bytes: info.bytes_retrans,
      min_rtt_ms: info.min_rtt,
    }
  );
}

const sample = (): FlowCounts[] =>
  flows.flatMap(({ port }) => {
    const socket = open.get(port);
    return (socket && readCounts(port, socket)) ?? ended.get(port) ?? [];
  });

/**
 * Makes the kernel drop a server's connections as soon as they are closed, even if the program is killed. Otherwise the
 * kernel keeps retransmitting unsent data, so the network namespace and the congestion control stay in use for minutes.
 */
function resetOnClose(server: Server): void {
  // struct linger: on, for 0 seconds. Connections inherit it from the listening socket.
  if (!setSocketOption(server, SOL_SOCKET, SO_LINGER, new Int32Array([1, 0])))
    throw new Error('the kernel refused SO_LINGER');
}
