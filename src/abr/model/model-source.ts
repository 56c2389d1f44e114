import { demand } from '../../demand.ts';
import { hasMethods, isRecord } from '../../records.ts';

/** A model's file: its bytes, where they are (a URL, as text or as an object), or what gets them. */
export type ModelSource =
  | string
  | { readonly href: string }
  | ArrayBuffer
  | Uint8Array
  | (() => ArrayBuffer | Uint8Array | PromiseLike<ArrayBuffer | Uint8Array>);

/** Also of another frame, whose ArrayBuffer is another class. */
const isBytes = (value: unknown): value is ArrayBuffer | Uint8Array =>
  isRecord(value) && typeof value.byteLength === 'number';

/** Not every application is written in TypeScript. */
const isModelSource = (value: unknown): value is ModelSource =>
  ['string', 'function'].includes(typeof value) ||
  isBytes(value) ||
  (isRecord(value) && typeof value.href === 'string');

/** The options of an algorithm with a model. */
export interface ModelOptions {
  /**
   * Where the model is, or its bytes, or what gets them. From a URL it is fetched when there is a buffer, so that the first
   * segments need not share the network with it; what gets them is called with the first question. Until it is there HYB
   * chooses. Where that failed, or took longer than 30 s, the next session tries again.
   */
  readonly model: ModelSource;
  /**
   * Is told once why there is no model, and HYB goes on.
   * @defaultValue the console
   */
  readonly warn?: (message: string) => void;
}

/** The model of the algorithm `name`. Throws an Error that names an option of the wrong kind. */
export function modelOf<Read>(
  name: string,
  { model: source, warn = toConsole }: ModelOptions,
  read: (file: ArrayBuffer | Uint8Array) => Read,
): Model<Read> {
  const isSource = isModelSource(source);
  demand(isSource, 'option model', source, "a model's URL, its bytes, or a function that gets them");
  demand(typeof warn === 'function', 'option warn', warn, 'a function');
  return new Model(source, read, (lack) => {
    try {
      warn(`${name}: ${lack}; HYB chooses`);
    } catch (error) {
      toConsole(`${name}: option warn threw ${String(error)}`);
    }
  });
}

const toConsole = (message: string): void => {
  (globalThis as { console?: { warn(message: string): void } }).console?.warn(message);
};

/** A model that is there, is on its way, or will not come. */
export type ModelState<Read> =
  | { readonly model: Read; readonly lack?: undefined }
  | { readonly model?: undefined; readonly lack: string };

/** Of the page, what fetches a model, and what tells that it is long in coming. The core knows no DOM. */
interface Page {
  readonly fetch?: (
    url: string,
    options: { readonly signal?: unknown },
  ) => Promise<{
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  }>;
  readonly AbortController?: new () => Ending;
  readonly setTimeout?: (action: () => void, after_ms: number) => unknown;
  readonly clearTimeout?: (timer: unknown) => void;
}

/** Ends a request that is still under way. */
interface Ending {
  readonly signal: unknown;
  abort(): void;
}

const UNASKED: ModelState<never> = { lack: 'the model is fetched when there is a buffer' };

/** A model of 205 kB takes as long at 55 kbit/s. */
const PATIENCE_S = 30;

/**
 * Gets a model when it is first wanted, and keeps it: from a URL not before `fetch()`, since it shares the network with the
 * first segments. What comes late is taken all the same, unless it is asked for anew. `missing` is told once why
 * there is none, with the address, if there is one; the state has the same without the address, which may be a secret.
 */
export class Model<Read> {
  readonly #source: ModelSource;
  readonly #url: string | undefined;
  readonly #parse: (file: ArrayBuffer | Uint8Array) => Read;
  readonly #missing: (why: string) => void;
  #state: ModelState<Read> | undefined;
  /** It has failed, or has not come in time. */
  #isGivenUp = false;
  /** Of the latest attempt. */
  #ending: Ending | undefined;
  #attempts = 0;
  #isTold = false;

  /** `read` throws an Error that says what is wrong with a file. */
  constructor(
    source: ModelSource,
    read: (file: ArrayBuffer | Uint8Array) => Read,
    missing: (why: string) => void,
  ) {
    this.#source = source;
    this.#parse = read;
    this.#url = urlOf(source);
    this.#missing = missing;
  }

  get state(): ModelState<Read> {
    return this.#state ?? (this.#url === undefined ? this.#get() : UNASKED);
  }

  /** From now on the network has room for it. */
  fetch(): void {
    if (!this.#state) this.#get();
  }

  /** With the next question, what was given up is tried again: a network comes back. */
  tryAgain(): void {
    if (!this.#isGivenUp) return;
    // A browser has six connections to a host over HTTP/1.1, and the segments may come from the same.
    this.#ending?.abort();
    this.#isGivenUp = false;
    this.#state = undefined;
  }

  #get(): ModelState<Read> {
    this.#state = { lack: 'the model is not there yet' };
    try {
      const file = this.#file();
      // It may be a promise of a polyfill or of another frame.
      if (hasMethods(file, 'then')) this.#await(file as PromiseLike<unknown>);
      else this.#read(file);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#state;
  }

  #file(): unknown {
    if (this.#url !== undefined) {
      const { AbortController } = globalThis as Page;
      this.#ending = AbortController && new AbortController();
      return fetched(this.#url, this.#ending?.signal);
    }
    return typeof this.#source === 'function' ? this.#source() : this.#source;
  }

  #await(file: PromiseLike<unknown>): void {
    const { setTimeout, clearTimeout } = globalThis as Page;
    const attempt = ++this.#attempts;
    // That an attempt before the latest fails says nothing of the latest.
    const giveUp = (why: unknown) => {
      if (attempt === this.#attempts) this.#giveUp(why);
    };
    const timer = setTimeout?.(() => {
      giveUp(`nothing has come in ${PATIENCE_S} s`);
    }, 1000 * PATIENCE_S);
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
    // An attempt before this one may end later.
    if (this.#state?.model) return;
    const reason = why instanceof Error ? why.message : String(why);
    this.#state = { lack: `no model: ${reason}` };
    this.#isGivenUp = true;
    if (this.#isTold) return;
    this.#isTold = true;
    this.#missing(this.#url === undefined ? `no model: ${reason}` : `no model at '${this.#url}': ${reason}`);
  }
}

function urlOf(source: ModelSource): string | undefined {
  if (typeof source === 'string') return source;
  return 'href' in source ? source.href : undefined;
}

async function fetched(url: string, signal: unknown): Promise<ArrayBuffer> {
  const { fetch } = globalThis as Page;
  if (!fetch) throw new Error('there is no fetch() here');
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    // A page is not told which of these it was.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${message} (out of reach, or forbidden by CORS or by the page's Content Security Policy)`,
      { cause },
    );
  });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return response.arrayBuffer();
}
