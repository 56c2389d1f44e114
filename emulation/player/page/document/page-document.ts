import type { Host } from '../host.ts';
import { PageElement } from './page-element.ts';
import { PageEvent } from './page-event.ts';

/** `document` of a page that contains only what scripts create. */
export class PageDocument extends PageElement {
  readonly documentElement: PageElement;
  readonly head: PageElement;
  readonly body: PageElement;
  readonly hidden = false;
  readonly visibilityState = 'visible';
  readonly readyState = 'complete';
  readonly fullscreenElement = null;
  readonly baseURI: string;
  readonly location: URL;
  cookie = '';
  readonly #make: (tag: string) => PageElement;

  constructor(host: Host, make: (tag: string) => PageElement) {
    super(host, '#document');
    this.#make = make;
    this.baseURI = host.url;
    this.location = new URL(host.url);
    [this.documentElement, this.head, this.body] = [make('html'), make('head'), make('body')];
    this.appendChild(this.documentElement).appendChild(this.head);
    this.documentElement.appendChild(this.body);
  }

  createElement(tag: string): PageElement {
    return this.#make(tag);
  }

  createElementNS(_: string, tag: string): PageElement {
    return this.#make(tag);
  }

  createTextNode(text: string): PageElement {
    const node = this.#make('#text');
    node.textContent = text;
    return node;
  }

  createEvent(): PageEvent {
    return new PageEvent('');
  }

  getElementById(id: string): PageElement | null {
    return this.getElementsByTagName('*').find((element) => element.id === id) ?? null;
  }
}
