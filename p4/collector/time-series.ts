/*
 * Writes the time series file: one CSV line per postcard, documented in docs/reference/time-series.md. Lines are
 * written in batches, with one write call per batch. In a file that ends in .gz, each batch is one gzip member. If the
 * collector is killed, the file can still be read up to the last batch.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { unixOffset_s } from '../clock.ts';
import { FlowNumbering } from './flow-names.ts';
import type { Postcard } from './postcard.ts';

export const COLUMNS =
  't_s,switch,in,out,flow,seq,ack,flags,payload,length,enq_depth,deq_depth,queue_us,dropped,marked,number';

/** Characters per batch. */
const BATCH_CHARACTERS = 65_536;

export class TimeSeries {
  private readonly path: string;
  private readonly file: number;
  private readonly flows = new FlowNumbering();
  private pending: string;
  private written = 0;

  /** Creates the file with a header that explains the columns. */
  constructor(path: string) {
    this.path = path;
    this.file = attempt(path, () => openSync(path, 'w'));
    this.pending = [
      '# Postcards, version 1: one line for each packet that left a queue.',
      "# t_s: when it joined the queue, in seconds of the switch's clock. A live switch on the machine that wrote",
      `# this has CLOCK_MONOTONIC; unix time = t_s + ${unixOffset_s().toFixed(6)}`,
      COLUMNS,
      '',
    ].join('\n');
  }

  add(postcard: Postcard): void {
    const flow = this.flows.numberFor(postcard.flow, (number, name) => {
      this.pending += `# flow ${number}: ${name}\n`;
    });
    this.pending += `${line(postcard, flow)}\n`;
    if (this.pending.length >= BATCH_CHARACTERS) this.flush();
  }

  /** Writes the pending lines. If that fails, the file ends with the previous batch. */
  flush(): void {
    if (this.pending === '') return;
    const text = Buffer.from(this.pending, 'latin1');
    this.pending = '';
    const batch = this.path.endsWith('.gz') ? gzipSync(text, { level: 1 }) : text;
    attempt(this.path, () => {
      try {
        for (let at = 0; at < batch.length;) at += writeSync(this.file, batch, at);
        this.written += batch.length;
      } catch (error) {
        if (fstatSync(this.file).isFile()) ftruncateSync(this.file, this.written);
        throw error;
      }
    });
  }

  close(): void {
    try {
      this.flush();
    } finally {
      closeSync(this.file);
    }
  }
}

function line(postcard: Postcard, flow: number): string {
  const { t_s, switchId, ingressPort, egressPort, tcp, payloadLength, packetLength } = postcard;
  const { enqueueDepth, dequeueDepth, queueTime, dropped, marked, number } = postcard;
  const segment = tcp ? `${tcp.sequence},${tcp.acknowledgement},${tcp.flags}` : ',,';
  const where = `${t_s.toFixed(6)},${switchId},${ingressPort},${egressPort},${flow}`;
  const queue = `${enqueueDepth},${dequeueDepth},${queueTime}`;
  return `${where},${segment},${payloadLength},${packetLength},${queue},${dropped ? 1 : 0},${marked ? 1 : 0},${number}`;
}

const REASONS: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  EACCES: 'no permission to write there',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full; what was written before is kept',
  EFBIG: 'it is larger than files may be; what was written before is kept',
  EROFS: 'the file system is read-only',
};

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    throw new Error(`the file '${path}' cannot be written: ${reason}`, { cause: error });
  }
}
