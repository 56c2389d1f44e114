import { connect, type Socket } from 'node:net';
import { setSocketOption } from '../../system/set-socket-option.ts';
import { joinLab } from '../../emulation/ground/programs/join-lab.ts';
import type { ReceiverFlow } from './messages.ts';

// include/uapi/asm-generic/socket.h, in.h and tcp.h
const SOL_SOCKET = 1;
const SO_RCVBUFFORCE = 33;
const IPPROTO_TCP = 6;
const TCP_WINDOW_CLAMP = 10;

/** Receives the senders' data after the message 'begin', each flow from its start time, and discards it. */
const flows = JSON.parse(process.argv[2] ?? '[]') as ReceiverFlow[];
const unread = Buffer.alloc(1 << 20);
/** The byte that tells the sender of an open connection to start. */
const GO = Buffer.alloc(1);

const say = joinLab(() => {
  for (const flow of flows) {
    const { start_s, opened_first } = flow;
    const socket = opened_first ? take(flow) : undefined;
    setTimeout(() => (socket ? socket.write(GO) : take(flow)), start_s * 1000);
  }
});

function take({ address, port, buffers }: ReceiverFlow): Socket {
  let sized = false;
  const callback = (): boolean => {
    // Set the sizes only now. At the first full segment, the kernel recomputes the limit of the window, and it never
    // shrinks a window that it has offered.
    if (!sized) setSizes(socket, buffers);
    sized = true;
    return true;
  };
  const socket = connect({ host: address, port, onread: { buffer: unread, callback } });
  return socket;
}

function setSizes(socket: Socket, { receive, window }: ReceiverFlow['buffers']): void {
  const set = (level: number, name: number, bytes: number) =>
    setSocketOption(socket, level, name, new Int32Array([bytes]));
  if (!set(SOL_SOCKET, SO_RCVBUFFORCE, receive) || !set(IPPROTO_TCP, TCP_WINDOW_CLAMP, window))
    throw new Error(`the kernel refused a window of ${window} bytes in a buffer of ${receive}`);
}

say({ type: 'ready' });
