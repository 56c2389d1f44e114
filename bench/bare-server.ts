import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSocketOptions } from '../edge/local/kernel/socket-options.ts';
import { kbps } from '../src/units.ts';

/**
 * The minimal paced server in Node, for comparison with the edge: it reads a file in pieces, and writes each piece
 * after the socket has accepted the previous piece. Its arguments are the file, the address to listen on and the pace.
 */
const PIECE_BYTES = 64 * 1024;
const [file = '', host = '', rtp_kbps = ''] = process.argv.slice(-3);
const kernel = await openSocketOptions();
if ('unavailable' in kernel) throw new Error(kernel.unavailable);

const server = createServer((request, response) => {
  void (async () => {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      kernel.setPace(request.socket, kbps(Number(rtp_kbps)));
      response.writeHead(200, { 'Content-Length': size });
      const piece = new Uint8Array(PIECE_BYTES);
      for (let sent = 0; sent < size && !response.destroyed;) {
        const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, sent);
        sent += bytesRead;
        await new Promise((resolve) => response.write(piece.subarray(0, bytesRead), resolve));
      }
      response.end();
    } finally {
      await handle.close();
    }
  })();
});
server.listen(0, host, () => {
  console.log(`serving at http://${host}:${(server.address() as AddressInfo).port}`);
});
