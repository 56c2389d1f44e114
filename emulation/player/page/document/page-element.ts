import type { Host } from '../host.ts';
import { Target } from './target.ts';

/** A list of text tracks, which is empty until a script adds one. */
export class TrackList extends Target {
  [index: number]: object;
  length = 0;

  add(track: object): void {
    this[this.length++] = track;
  }

  getTrackById(): null {
    return null;
  }
}

/** An element without rendering: it has children and attributes, and a constant size. */
export class PageElement extends Target {
  readonly tagName: string;
  readonly nodeName: string;
  readonly nodeType = 1;
  readonly style: Record<string, unknown> = {};
  readonly dataset: Record<string, string> = {};
  readonly textTracks: TrackList;
  readonly clientWidth = 1280;
  readonly clientHeight = 720;
  id = '';
  className = '';
  innerHTML = '';
  textContent = '';
  parentNode: PageElement | null = null;
  readonly childNodes: PageElement[] = [];
  readonly #attributes = new Map<string, string>();

  constructor(host: Host, tag: string) {
    super(host);
    this.tagName = this.nodeName = tag.toUpperCase();
    this.textTracks = new TrackList(host);
  }

  get parentElement(): PageElement | null {
    return this.parentNode;
  }

  get children(): readonly PageElement[] {
    return this.childNodes;
  }

  get firstChild(): PageElement | null {
    return this.childNodes[0] ?? null;
  }

  appendChild<Child extends PageElement>(child: Child): Child {
    child.remove();
    child.parentNode = this;
    this.childNodes.push(child);
    return child;
  }

  insertBefore<Child extends PageElement>(child: Child): Child {
    return this.appendChild(child);
  }

  removeChild<Child extends PageElement>(child: Child): Child {
    const index = this.childNodes.indexOf(child);
    if (index >= 0) this.childNodes.splice(index, 1);
    child.parentNode = null;
    return child;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  contains(other: PageElement): boolean {
    return other === this || this.childNodes.some((child) => child.contains(other));
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  getElementsByTagName(tag: string): PageElement[] {
    const all = this.childNodes.flatMap((child) => [child, ...child.getElementsByTagName('*')]);
    return tag === '*' ? all : all.filter(({ tagName }) => tagName === tag.toUpperCase());
  }

  getElementsByClassName(name: string): PageElement[] {
    return this.getElementsByTagName('*').filter(({ className }) => className.split(' ').includes(name));
  }

  querySelectorAll(tag: string): PageElement[] {
    return this.getElementsByTagName(tag);
  }

  querySelector(tag: string): PageElement | null {
    return this.getElementsByTagName(tag)[0] ?? null;
  }

  getBoundingClientRect() {
    const { clientWidth: width, clientHeight: height } = this;
    return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height };
  }

  addTextTrack(kind: string, label = '', language = ''): object {
    const track = Object.assign(new Target(this.host), { kind, label, language, mode: 'hidden', cues: [] });
    this.textTracks.add(track);
    return track;
  }
}
