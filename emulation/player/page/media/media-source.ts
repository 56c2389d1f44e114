import { Target } from '../document/target.ts';
import { soon, type Host } from '../host.ts';
import { SourceBuffer } from './source-buffer.ts';
import { intersectRanges, type Range } from './time-ranges.ts';

/** A browser's limits and delays for media. */
export interface MediaLimits {
  /** The capacity of a video buffer. */
  readonly video_bytes: number;
  /** The capacity of an audio buffer. */
  readonly audio_bytes: number;
  /** The time from a call to append until the data are buffered. */
  readonly append_ms: number;
  /** The time from the arrival of the data for which the element waits until the frame is shown. */
  readonly frame_ms: number;
}

/** The part of a media element that its media source uses. */
export interface Player {
  readonly currentTime: number;
  sourceChanged(): void;
  durationChanged(): void;
}

/** The emulated `SourceBufferList` of Media Source Extensions. */
class BufferList extends Target {
  [index: number]: SourceBuffer;
  length = 0;

  tell(type: string): void {
    this.fire(type);
  }

  set(buffers: readonly SourceBuffer[]): void {
    for (let index = 0; index < this.length; index++) Reflect.deleteProperty(this, index);
    Object.assign(this, buffers);
    this.length = buffers.length;
  }

  [Symbol.iterator](): Iterator<SourceBuffer> {
    return Array.prototype[Symbol.iterator].call(this) as Iterator<SourceBuffer>;
  }
}

/** `MediaSource` of Media Source Extensions. */
export class MediaSource extends Target {
  readonly sourceBuffers: BufferList;
  readonly activeSourceBuffers: BufferList;
  readyState: 'closed' | 'open' | 'ended' = 'closed';
  readonly #limits: MediaLimits;
  #buffers: readonly SourceBuffer[] = [];
  #duration = NaN;
  #player: Player | undefined;

  constructor(host: Host, limits: MediaLimits) {
    super(host);
    this.#limits = limits;
    this.sourceBuffers = new BufferList(host);
    this.activeSourceBuffers = new BufferList(host);
  }

  /** Called by an element that attaches the source; undefined detaches the source. */
  attach(player: Player | undefined): void {
    this.#player = player;
    if (player) {
      soon(this.host, () => {
        if (this.#player !== player) return;
        this.readyState = 'open';
        this.fire('sourceopen');
      });
      return;
    }
    this.readyState = 'closed';
    this.#set([]);
    soon(this.host, () => this.fire('sourceclose'));
  }

  get duration(): number {
    return this.readyState === 'closed' ? NaN : this.#duration;
  }

  set duration(duration_s: number) {
    this.#check();
    if (duration_s === this.#duration) return;
    this.#duration = duration_s;
    this.#player?.durationChanged();
  }

  addSourceBuffer(mimeType: string): SourceBuffer {
    this.#check();
    const owner = {
      playhead_s: () => this.#player?.currentTime ?? 0,
      changed: () => this.#player?.sourceChanged(),
    };
    const { video_bytes, audio_bytes, append_ms } = this.#limits;
    const quota_bytes = mimeType.startsWith('audio/') ? audio_bytes : video_bytes;
    const buffer = new SourceBuffer(this.host, owner, mimeType, { quota_bytes, append_ms });
    this.#set([...this.#buffers, buffer]);
    soon(this.host, () => this.sourceBuffers.tell('addsourcebuffer'));
    return buffer;
  }

  removeSourceBuffer(buffer: SourceBuffer): void {
    if (!this.#buffers.includes(buffer))
      throw new DOMException('there is no such source buffer', 'NotFoundError');
    buffer.detach();
    this.#set(this.#buffers.filter((each) => each !== buffer));
    this.#player?.sourceChanged();
  }

  endOfStream(): void {
    this.#check();
    this.readyState = 'ended';
    const end_s = Math.max(0, ...this.#buffers.map(({ ranges }) => ranges.at(-1)?.[1] ?? 0));
    if (end_s > 0 && end_s !== this.#duration) {
      this.#duration = end_s;
      this.#player?.durationChanged();
    }
    soon(this.host, () => this.fire('sourceended'));
    this.#player?.sourceChanged();
  }

  setLiveSeekableRange(): void {
    // Nothing to do: the element's seekable range is always the whole video.
  }

  clearLiveSeekableRange(): void {
    // Nothing to do: the element's seekable range is always the whole video.
  }

  /** Whether the initialization segments of all buffers have been appended. */
  get initialized(): boolean {
    return this.#buffers.length > 0 && this.#buffers.every(({ initialized }) => initialized);
  }

  /**
   * The ranges for which all buffers have content. After the end of the stream, each buffer's last range is extended to
   * the end of the longest one.
   */
  get ranges(): Range[] {
    const lists = this.#buffers.map(({ ranges }) => ranges);
    if (this.readyState !== 'ended') return intersectRanges(lists);
    const end_s = Math.max(0, ...lists.map((ranges) => ranges.at(-1)?.[1] ?? 0));
    return intersectRanges(
      lists.map((ranges) =>
        ranges.map(([from, to], index): Range => [from, index === ranges.length - 1 ? end_s : to]),
      ),
    );
  }

  #set(buffers: readonly SourceBuffer[]): void {
    for (const gone of this.#buffers) if (!buffers.includes(gone)) gone.detach();
    this.#buffers = buffers;
    this.sourceBuffers.set(buffers);
    this.activeSourceBuffers.set(buffers);
  }

  #check(): void {
    if (this.readyState === 'closed')
      throw new DOMException('the media source is closed', 'InvalidStateError');
    // Appending or changing media reopens a stream that has ended (MSE §3.10).
    this.readyState = 'open';
  }
}
