import { Target } from '../document/target.ts';
import { soon, type Host } from '../host.ts';
import { MediaReader } from './read-media.ts';
import { TimeRanges, type Range } from './time-ranges.ts';
import { TrackBuffer } from './track-buffer.ts';

/** The part of a media source that its source buffers use. */
export interface Owner {
  playhead_s(): number;
  /** Called when the buffered ranges or the initialization have changed. */
  changed(): void;
}

/** `SourceBuffer` of Media Source Extensions. */
export class SourceBuffer extends Target {
  readonly mimeType: string;
  mode = 'segments';
  timestampOffset = 0;
  appendWindowStart = 0;
  appendWindowEnd = Infinity;
  updating = false;
  readonly #owner: Owner;
  readonly #append_ms: number;
  readonly #reader = new MediaReader();
  readonly #track: TrackBuffer;
  #cancel: (() => void) | undefined;
  #removed = false;

  constructor(
    host: Host,
    owner: Owner,
    mimeType: string,
    options: { quota_bytes: number; append_ms: number },
  ) {
    super(host);
    this.#owner = owner;
    this.mimeType = mimeType;
    this.#append_ms = options.append_ms;
    this.#track = new TrackBuffer(options.quota_bytes);
  }

  get buffered(): TimeRanges {
    return new TimeRanges(this.#track.ranges);
  }

  get ranges(): readonly Range[] {
    return this.#track.ranges;
  }

  get initialized(): boolean {
    return this.#reader.initialized;
  }

  appendBuffer(data: ArrayBuffer | ArrayBufferView): void {
    this.#check();
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    if (!this.#track.makeRoom(bytes.length, this.#owner.playhead_s()))
      throw new DOMException('the buffer is full', 'QuotaExceededError');
    this.#update(() => {
      for (const fragment of this.#reader.read(bytes)) {
        const start_s = Math.max(fragment.start_s + this.timestampOffset, this.appendWindowStart);
        const end_s = Math.min(fragment.end_s + this.timestampOffset, this.appendWindowEnd);
        if (end_s > start_s) this.#track.add({ ...fragment, start_s, end_s });
      }
    });
  }

  remove(from_s: number, to_s: number): void {
    this.#check();
    if (!(from_s >= 0 && to_s > from_s)) throw new this.host.builtins.TypeError('nothing to remove');
    this.#update(() => this.#track.remove(from_s, to_s));
  }

  abort(): void {
    this.#reader.reset();
    if (!this.updating) return;
    this.#cancel?.();
    this.updating = false;
    this.fire('abort');
    this.fire('updateend');
  }

  changeType(): void {
    this.#check();
    this.#reader.reset();
  }

  /** Detaches the buffer from its media source. */
  detach(): void {
    this.#cancel?.();
    this.#removed = true;
    this.updating = false;
  }

  #check(): void {
    if (this.#removed || this.updating)
      throw new DOMException(
        this.#removed ? 'the source buffer was removed' : 'it is being updated',
        'InvalidStateError',
      );
  }

  #update(change: () => void): void {
    this.updating = true;
    const finish = () => {
      let failed = false;
      try {
        change();
      } catch (error) {
        failed = true;
        this.host.report(error);
      }
      this.updating = false;
      this.#owner.changed();
      this.fire(failed ? 'error' : 'update');
      this.fire('updateend');
    };
    this.#cancel = soon(this.host, () => {
      this.fire('updatestart');
      this.#cancel = soon(this.host, finish, this.#append_ms);
    });
  }
}
