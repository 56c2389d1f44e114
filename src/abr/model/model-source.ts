import { demandOptions } from '../../demand-known.ts';
import { demand } from '../../demand.ts';
import { hasMethods, isRecord } from '../../records.ts';

/** A model's file: its bytes, its URL as a string or an object, or a function that returns its bytes. */
export type ModelSource =
  | string
  | { readonly href: string }
  | ArrayBuffer
  | Uint8Array
  | (() => ArrayBuffer | Uint8Array | PromiseLike<ArrayBuffer | Uint8Array>);

/** Checks a property instead of the class, because an ArrayBuffer from another frame has another class. */
const isBytes = (value: unknown): value is ArrayBuffer | Uint8Array =>
  isRecord(value) && typeof value.byteLength === 'number';

/** Needed for applications that are not written in TypeScript. */
const isModelSource = (value: unknown): value is ModelSource =>
  ['string', 'function'].includes(typeof value) ||
  isBytes(value) ||
  (isRecord(value) && typeof value.href === 'string');

/** The options of an algorithm with a learned model. */
export interface ModelOptions {
  /**
   * The model's URL, its bytes, or a function that returns its bytes. A URL is fetched when there is some buffer, so
   * that the fetch does not slow down the first segments. A function is called at the first choice. HYB chooses until
   * the model is available. After a failure, or a wait of over 30 s, the next session tries again.
   */
  readonly model: ModelSource;
  /**
   * Receives one message with the reason if there is no model. HYB then continues to choose.
   * @defaultValue the console
   */
  readonly warn?: (message: string) => void;
}

/** Creates the model of the algorithm `name`. Throws an Error that names an option of the wrong type. */
export function createModel<Read>(
  name: string,
  options: ModelOptions,
  read: (file: ArrayBuffer | Uint8Array) => Read,
): Model<Read> {
  demandOptions(name, options);
  const { model: source, warn = toConsole } = options;
  const isSource = isModelSource(source);
  demand(isSource, 'option model', source, "a model's URL, its bytes, or a function that gets them");
  demand(typeof warn === 'function', 'option warn', warn, 'a function');
  return new Model(source, read, (missingReason) => {
    try {
      warn(`${name}: ${missingReason}; HYB chooses`);
    } catch (error) {
      toConsole(`${name}: option warn threw ${String(error)}`);
    }
  });
}

const toConsole = (message: string): void => {
  (globalThis as { console?: { warn(message: string): void } }).console?.warn(message);
};

/** A model that is available, or the reason why it is missing. */
export type ModelState<Read> =
  | { readonly model: Read; readonly missingReason?: undefined }
  | { readonly model?: undefined; readonly missingReason: string };

/** The parts of a web page that fetch a model and limit the wait. Declared here because the core does not use DOM types. */
interface PageGlobals {
  readonly fetch?: (
    url: string,
    options: { readonly signal?: unknown },
  ) => Promise<{
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  }>;
  readonly AbortController?: new () => AbortLike;
  readonly setTimeout?: (action: () => void, after_ms: number) => unknown;
  readonly clearTimeout?: (timer: unknown) => void;
}

/** Cancels a request in flight. */
interface AbortLike {
  readonly signal: unknown;
  abort(): void;
}

const NOT_REQUESTED: ModelState<never> = { missingReason: 'the model is fetched when there is a buffer' };

/** The longest wait for a model. At 4 kbit/s, a model of 14 kB takes 28 s. */
const TIMEOUT_S = 30;

/**
 * Loads a model when it is first needed, and caches it. A URL is not fetched before `fetch()`, because the model shares
 * the network with the first segments. A response after the timeout is still used, unless another attempt has started.
 * If the model cannot be loaded, `missing` is called once, with the reason and the URL, if any. The state has only the
 * reason, because the URL may contain a secret.
 */
export class Model<Read> {
  readonly #source: ModelSource;
  readonly #url: string | undefined;
  readonly #parse: (file: ArrayBuffer | Uint8Array) => Read;
  readonly #missing: (why: string) => void;
  #state: ModelState<Read> | undefined;
  /** Whether the latest attempt failed or timed out. */
  #isGivenUp = false;
  /** Cancels the latest attempt. */
  #ending: AbortLike | undefined;
  #attempts = 0;
  #hasWarned = false;

  /** `read` throws an Error that describes what is invalid in a file. */
  constructor(
    source: ModelSource,
    read: (file: ArrayBuffer | Uint8Array) => Read,
    missing: (why: string) => void,
  ) {
    this.#source = source;
    this.#parse = read;
    this.#url = getUrl(source);
    this.#missing = missing;
  }

  get state(): ModelState<Read> {
    return this.#state ?? (this.#url === undefined ? this.#get() : NOT_REQUESTED);
  }

  /** Starts fetching the model. Call it when the network has capacity to spare. */
  fetch(): void {
    if (!this.#state) this.#get();
  }

  /** Retries a failed attempt, because the network may have recovered. */
  tryAgain(): void {
    if (!this.#isGivenUp) return;
    // Cancel the earlier attempt: over HTTP/1.1, a browser opens six connections per host, and the segments may need
    // all six.
    this.#ending?.abort();
    this.#isGivenUp = false;
    this.#state = undefined;
  }

  #get(): ModelState<Read> {
    this.#state = { missingReason: 'the model is not there yet' };
    try {
      const file = this.#file();
      // The promise may come from a polyfill or another frame.
      if (hasMethods(file, 'then')) this.#await(file as PromiseLike<unknown>);
      else this.#read(file);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#state;
  }

  #file(): unknown {
    if (this.#url !== undefined) {
      const { AbortController } = globalThis as PageGlobals;
      this.#ending = AbortController && new AbortController();
      return fetchModel(this.#url, this.#ending?.signal);
    }
    return typeof this.#source === 'function' ? this.#source() : this.#source;
  }

  #await(file: PromiseLike<unknown>): void {
    const { setTimeout, clearTimeout } = globalThis as PageGlobals;
    const attempt = ++this.#attempts;
    // Ignore the failure of an earlier attempt.
    const giveUp = (why: unknown) => {
      if (attempt === this.#attempts) this.#giveUp(why);
    };
    const timer = setTimeout?.(() => {
      giveUp(`nothing has come in ${TIMEOUT_S} s`);
    }, 1000 * TIMEOUT_S);
    void Promise.resolve(file)
      .then((bytes) => {
        this.#read(bytes);
      })
      .catch(giveUp)
      .finally(() => clearTimeout?.(timer));
  }

  #read(bytes: unknown): void {
    demand(isBytes(bytes), 'the file of the option model', bytes, 'an ArrayBuffer or a Uint8Array');
    this.#state = { model: this.#parse(bytes) };
    this.#isGivenUp = false;
  }

  #giveUp(why: unknown): void {
    // An earlier attempt may have loaded the model in the meantime.
    if (this.#state?.model) return;
    const reason = why instanceof Error ? why.message : String(why);
    this.#state = { missingReason: `no model: ${reason}` };
    this.#isGivenUp = true;
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#missing(this.#url === undefined ? `no model: ${reason}` : `no model at '${this.#url}': ${reason}`);
  }
}

function getUrl(source: ModelSource): string | undefined {
  if (typeof source === 'string') return source;
  return 'href' in source ? source.href : undefined;
}

async function fetchModel(url: string, signal: unknown): Promise<ArrayBuffer> {
  const { fetch } = globalThis as PageGlobals;
  if (!fetch) throw new Error('there is no fetch() here');
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    // Name all possible causes, because the browser does not reveal which one it is.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${message} (out of reach, or forbidden by CORS or by the page's Content Security Policy)`,
      { cause },
    );
  });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return response.arrayBuffer();
}
