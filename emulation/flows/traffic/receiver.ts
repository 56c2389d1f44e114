import { connect } from 'node:net';
import { joinLab } from '../../programs/join-lab.ts';
import type { ReceiverFlow } from './messages.ts';

/** Takes what the senders send, each flow from its start on after 'begin', into a buffer that nobody reads. */
const flows = JSON.parse(process.argv[2] ?? '[]') as ReceiverFlow[];
const unread = Buffer.alloc(1 << 20);

const say = joinLab(() => {
  for (const flow of flows) setTimeout(() => take(flow), flow.start_s * 1000);
});

function take({ address, port }: ReceiverFlow): void {
  connect({ host: address, port, onread: { buffer: unread, callback: () => true } });
}

say({ type: 'ready' });
