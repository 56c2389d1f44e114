import { readTtpModel, type TtpModel } from './ttp-model.ts';

/** A model's file: its bytes, where they are (a URL, as text or as an object), or what gets them. */
export type ModelSource =
  | string
  | { readonly href: string }
  | ArrayBuffer
  | Uint8Array
  | (() => ArrayBuffer | Uint8Array | PromiseLike<ArrayBuffer | Uint8Array>);

/** A model that is there, is on its way, or will not come. */
export type ModelState =
  | { readonly model: TtpModel; readonly lack?: undefined }
  | { readonly model?: undefined; readonly lack: string };

/** Of the page, what fetches a model. The core knows no DOM. */
interface Fetcher {
  readonly fetch?: (url: string) => Promise<{
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  }>;
}

/** Gets a model once, when it is first wanted. `failed` is told once, and why. */
export class Model {
  readonly #source: ModelSource;
  readonly #failed: (reason: string) => void;
  #state: ModelState | undefined;

  constructor(source: ModelSource, failed: (reason: string) => void) {
    this.#source = source;
    this.#failed = failed;
  }

  get state(): ModelState {
    return this.#state ?? this.#get();
  }

  #get(): ModelState {
    this.#state = { lack: 'the model is not there yet' };
    try {
      const file = this.#file();
      // It may be a promise of a polyfill or of another frame.
      if ('then' in file)
        Promise.resolve(file)
          .then((bytes) => this.#read(bytes))
          .catch((error: unknown) => this.#fail(error));
      else this.#read(file);
    } catch (error) {
      this.#fail(error);
    }
    return this.#state;
  }

  #file(): ArrayBuffer | Uint8Array | PromiseLike<ArrayBuffer | Uint8Array> {
    const source = this.#source;
    if (typeof source === 'function') return source();
    if (typeof source === 'string') return fetched(source);
    return 'href' in source ? fetched(source.href) : source;
  }

  #read(bytes: ArrayBuffer | Uint8Array): void {
    this.#state = { model: readTtpModel(bytes) };
  }

  #fail(error: unknown): void {
    const lack = `no model: ${error instanceof Error ? error.message : String(error)}`;
    this.#state = { lack };
    this.#failed(lack);
  }
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const { fetch } = globalThis as Fetcher;
  if (!fetch) throw new Error('there is no fetch() here');
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status} of ${url}`);
  return response.arrayBuffer();
}
