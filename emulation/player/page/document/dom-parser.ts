import { DOMParser, onErrorStopParsing, type Document } from '@xmldom/xmldom';

const XML = 'application/xml';

/** `DOMParser` for manifests, which dash.js 4.7 uses. */
export class PageDomParser {
  readonly #parser = new DOMParser({ onError: onErrorStopParsing });

  /** Text that is not well-formed becomes a document with a `parsererror`, as in browsers. */
  parseFromString(text: string): Document {
    try {
      return this.#parser.parseFromString(text, XML);
    } catch {
      return this.#parser.parseFromString('<parsererror/>', XML);
    }
  }
}
