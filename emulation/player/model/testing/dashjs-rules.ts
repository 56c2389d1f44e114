import * as dashjs from 'dashjs';
import { vi } from 'vitest';
import type { Ladder } from '../../../../src/film/ladder.ts';
import type { StockSegment } from '../stock/bola.ts';
import type { StockProgress } from '../stock/stock-rules.ts';

/** dash.js's classes by name. dash.js publishes only their factory, without types for the instances. */
type Factory = (context: object) => { getInstance(config?: object): Part };
interface Part {
  setConfig(config: object): void;
  initialize(): void;
  on(event: string, listener: (event: { newRepresentation: Representation }) => void): void;
  trigger(event: string, payload: object, filters?: object): void;
  update(settings: object): void;
  registerStreamType(type: string, streamProcessor: object): void;
  checkPlaybackQuality(type: string, streamId: string): boolean;
  getInitialBitrateFor(type: string): number;
  getOptimalRepresentationForBitrate(mediaInfo: object, kbps: number): Representation;
  addBufferLevel(type: string, at: Date, level_ms: number): void;
  addBufferState(type: string, state: string, target: number): void;
  addHttpRequest(request: object, url: string, status: number, headers: object, traces: object[]): void;
}
interface Representation {
  readonly id: string;
  readonly absoluteIndex: number;
}
interface Trace {
  readonly s: Date;
  readonly d: number;
  readonly b: readonly [number];
}

const { FactoryMaker } = (
  dashjs as unknown as {
    default: {
      FactoryMaker: {
        getSingletonFactoryByName(name: string): Factory;
        deleteSingletonInstances(context: object): void;
      };
    };
  }
).default;

// Creating a player registers the event names that all classes use.
dashjs.MediaPlayer().create();

const STREAM = { id: 'stream', manifestInfo: { isDynamic: false } };
const URL_OF_ALL = 'https://film.example/segment';
/**
 * A buffer of at most this counts as empty (`stallThreshold`) for dash.js's `BufferController`, which this class
 * replaces with a stub.
 */
const EMPTY_S = 0.3;
/** The number of progress events per download; `abandonRequestsRule` needs at least six. */
const PROGRESS_EVENTS = 8;

/**
 * Runs the real `AbrController` with its rules, `ThroughputController` and `DashMetrics` of the installed dash.js, and
 * offers the methods of `StockRules`. Stubs replace the remaining player, and do what `HTTPLoader`, `BufferController`
 * and `StreamProcessor` do. Needs the globals of a page, and fake timers, which `now_ms` advances.
 */
export class DashjsRules {
  readonly #context = {};
  readonly #representations: Representation[];
  readonly #mediaInfo: object;
  readonly #eventBus: Part;
  readonly #metrics: Part;
  readonly #abr: Part;
  #current: Representation;
  #duration_s = 0;
  #delay_ms = 0;
  #state = '';
  #begun = false;
  #chosen: Representation | undefined;
  #requests = 0;

  constructor({ ladder, bufferTarget_s, bola }: { ladder: Ladder; bufferTarget_s: number; bola: boolean }) {
    const context = this.#context;
    const part = (name: string, config: object = {}) =>
      FactoryMaker.getSingletonFactoryByName(name)(context).getInstance(config);
    const mediaInfo = { id: 'video', type: 'video', streamInfo: STREAM };
    const duration = () => this.#duration_s;
    this.#mediaInfo = mediaInfo;
    this.#representations = ladder.map(({ id, bitrate_kbps }, absoluteIndex) => ({
      id,
      absoluteIndex,
      bandwidth: bitrate_kbps * 1000,
      bitrateInKbit: bitrate_kbps,
      mediaInfo,
      qualityRanking: NaN,
      pixelsPerSecond: NaN,
      get fragmentDuration() {
        return duration();
      },
    }));
    this.#current = this.#at(0);

    const settings = part('Settings');
    if (!bola) settings.update({ streaming: { abr: { rules: { bolaRule: { active: false } } } } });
    this.#eventBus = part('EventBus');
    this.#metrics = part('DashMetrics', { settings });
    const throughputController = part('ThroughputController');
    throughputController.setConfig({ settings, playbackController: { getIsDynamic: () => false } });
    throughputController.initialize();
    this.#abr = part('AbrController');
    this.#abr.setConfig({
      settings,
      throughputController,
      dashMetrics: this.#metrics,
      adapter: {
        getVoRepresentations: () => [...this.#representations],
        areMediaInfosEqual: () => true,
      },
      capabilities: { areKeyIdsUsable: () => true },
      customParametersModel: { getAbrCustomRules: () => [] },
      domStorage: { getSavedBitrateSettings: () => NaN, setSavedBitrateSettings: () => undefined },
      mediaPlayerModel: {
        getBufferTimeDefault: () => bufferTarget_s,
        getAbrBitrateParameter: () => -1,
      },
      streamController: { getActiveStreamInfo: () => STREAM },
      videoModel: { getPlaybackQuality: () => null },
    });
    this.#abr.initialize();
    this.#abr.registerStreamType('video', this.#streamProcessor());
    this.#eventBus.on('qualityChangeRequested', ({ newRepresentation }) => {
      this.#chosen = newRepresentation;
    });
  }

  /**
   * Deletes the singletons of this context, because dash.js keeps those of every context and searches through all of
   * them.
   */
  close(): void {
    FactoryMaker.deleteSingletonInstances(this.#context);
  }

  get first(): number {
    const kbps = this.#abr.getInitialBitrateFor('video');
    return this.#abr.getOptimalRepresentationForBitrate(this.#mediaInfo, kbps).absoluteIndex;
  }

  choose(current: number, now_ms: number, buffer_s: number, duration_s: number) {
    this.#at_ms(now_ms);
    this.#current = this.#at(current);
    this.#duration_s = duration_s;
    this.recordBuffer(buffer_s);
    // `StreamProcessor` resets the delay to 0 when it makes a request.
    this.#delay_ms = 0;
    this.#chosen = undefined;
    this.#abr.checkPlaybackQuality('video', STREAM.id);
    return { rung: this.#becomes() ?? current, delay_ms: this.#delay_ms };
  }

  abandon(current: number, now_ms: number, buffer_s: number, progress: StockProgress): number | undefined {
    this.#at_ms(now_ms);
    this.#current = this.#at(current);
    this.recordBuffer(buffer_s);
    this.#chosen = undefined;
    const { loaded, total, elapsed_ms, duration_s } = progress;
    this.#eventBus.trigger(
      'loadingProgress',
      {
        request: {
          mediaType: 'video',
          index: this.#requests,
          firstByteDate: new Date(now_ms - elapsed_ms),
          traces: toTraces(progress, now_ms),
          bytesLoaded: loaded,
          bytesTotal: total,
          duration: duration_s,
          representation: this.#current,
        },
      },
      { streamId: STREAM.id, mediaType: 'video' },
    );
    return this.#becomes();
  }

  /** As `HTTPLoader` does, reports an aborted request, for which a page has no Resource Timing entry. */
  recordAbort(requested_ms: number, now_ms: number, progress: StockProgress): void {
    this.#at_ms(now_ms);
    this.#tell(requested_ms, now_ms, toTraces(progress, now_ms));
    this.#eventBus.trigger(
      'fragmentLoadingAbandoned',
      {},
      {
        streamId: STREAM.id,
        mediaType: 'video',
      },
    );
  }

  recordDownload(segment: StockSegment, bytes: number, receiving_ms: number, buffer_s: number): void {
    const { rung, start_s, duration_s, requested_ms, finished_ms } = segment;
    this.#at_ms(finished_ms);
    this.recordBuffer(buffer_s);
    this.#tell(requested_ms, finished_ms, [{ s: new Date(requested_ms), d: 1, b: [bytes] }], {
      transferSize: bytes,
      decodedBodySize: bytes,
      responseStart: finished_ms - receiving_ms,
      responseEnd: finished_ms,
    });
    const filters = { streamId: STREAM.id, mediaType: 'video' };
    const chunk = { start: start_s, duration: duration_s, representation: this.#at(rung) };
    this.#eventBus.trigger('mediaFragmentLoaded', { chunk }, filters);
    this.#eventBus.trigger('bytesAppendedEndFragment', { startTime: start_s }, filters);
    this.#requests += 1;
  }

  /** Reports a new buffer level, as `BufferController` does. */
  recordBuffer(buffer_s: number): void {
    this.#metrics.addBufferLevel('video', new Date(), buffer_s * 1000);
    this.#begun ||= buffer_s > EMPTY_S;
    const state = buffer_s <= EMPTY_S ? 'bufferStalled' : 'bufferLoaded';
    if (!this.#begun || state === this.#state) return;
    this.#state = state;
    this.#metrics.addBufferState('video', state, 0);
    this.#eventBus.trigger(state, {}, { streamId: STREAM.id, mediaType: 'video' });
  }

  recordSeek(): void {
    this.#eventBus.trigger('playbackSeeking', {}, { streamId: STREAM.id });
  }

  #streamProcessor(): object {
    const scheduleController = {
      setTimeToLoadDelay: (delay_ms: number) => {
        this.#delay_ms = delay_ms;
      },
      getPlaybackController: () => ({ getLowLatencyModeEnabled: () => false }),
    };
    return {
      getStreamInfo: () => STREAM,
      getLastSegment: () => null,
      getRepresentation: () => this.#current,
      getRepresentationController: () => ({ getCurrentCompositeRepresentation: () => this.#current }),
      getScheduleController: () => scheduleController,
      getFragmentModel: () => ({ getRequests: () => [{}] }),
    };
  }

  #tell(requested_ms: number, finished_ms: number, traces: Trace[], resourceTimingValues?: object): void {
    const request = {
      mediaType: 'video',
      type: 'MediaSegment',
      url: URL_OF_ALL,
      startDate: new Date(requested_ms),
      firstByteDate: new Date(requested_ms),
      endDate: new Date(finished_ms),
      representation: this.#current,
      resourceTimingValues,
    };
    this.#metrics.addHttpRequest(request, URL_OF_ALL, 200, {}, traces);
  }

  #becomes(): number | undefined {
    return this.#chosen?.absoluteIndex;
  }

  #at(rung: number): Representation {
    const representation = this.#representations[rung];
    if (!representation) throw new Error(`no rung ${rung}`);
    return representation;
  }

  #at_ms(now_ms: number): void {
    vi.advanceTimersByTime(now_ms - Date.now());
  }
}

/** Returns a trace of the first bytes, `PROGRESS_EVENTS` traces without bytes, and a trace of all other bytes. */
function toTraces({ bytes, loaded, elapsed_ms }: StockProgress, now_ms: number): Trace[] {
  const s = new Date(now_ms);
  const others = Array.from({ length: PROGRESS_EVENTS }, (): Trace => ({ s, d: 0, b: [0] }));
  return [{ s, d: 50, b: [loaded - bytes] }, ...others, { s, d: elapsed_ms, b: [bytes] }];
}
