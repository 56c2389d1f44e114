/**
 * `DOMParser` for manifests: elements, attributes, text and CDATA of well-formed XML, as dash.js 4.7 walks them. Names keep
 * their prefixes, which are resolved to no namespace; declarations, comments and document types are passed over.
 */

/** `nodeType` (DOM §4.4). */
const [ELEMENT, TEXT, CDATA, DOCUMENT] = [1, 3, 4, 9];

interface Attribute {
  readonly name: string;
  readonly nodeName: string;
  readonly localName: string;
  readonly value: string;
}

class XmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly prefix: string | null;
  readonly localName: string | undefined;
  readonly attributes: readonly Attribute[];
  readonly childNodes: XmlNode[] = [];

  constructor(
    nodeType: number,
    nodeName: string,
    nodeValue: string | null = null,
    attributes: Attribute[] = [],
  ) {
    this.nodeType = nodeType;
    this.nodeName = nodeName;
    this.nodeValue = nodeValue;
    this.attributes = attributes;
    const [local, prefix] = nodeName.split(':').reverse();
    this.prefix = prefix ?? null;
    this.localName = nodeType === ELEMENT ? local : undefined;
  }

  get tagName(): string {
    return this.nodeName;
  }

  get textContent(): string {
    return this.nodeValue ?? this.childNodes.map(({ textContent }) => textContent).join('');
  }

  get documentElement(): XmlNode | undefined {
    return this.childNodes.find(({ nodeType }) => nodeType === ELEMENT);
  }

  getAttribute(name: string): string | null {
    return this.attributes.find((attribute) => attribute.name === name)?.value ?? null;
  }

  getElementsByTagName(name: string): XmlNode[] {
    return this.#below((node) => name === '*' || node.nodeName === name);
  }

  getElementsByTagNameNS(_: string, name: string): XmlNode[] {
    return this.#below((node) => name === '*' || node.localName === name);
  }

  #below(wanted: (node: XmlNode) => boolean): XmlNode[] {
    return this.childNodes
      .filter(({ nodeType }) => nodeType === ELEMENT)
      .flatMap((child) => [...(wanted(child) ? [child] : []), ...child.#below(wanted)]);
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number.parseInt(decimal));
      return ENTITIES[name ?? ''] ?? whole;
    },
  );

const PIECE =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE[^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export class PageDomParser {
  /** What is not well-formed becomes a document with a `parsererror`, as in browsers. */
  parseFromString(text: string): XmlNode {
    const document = new XmlNode(DOCUMENT, '#document');
    const open = [document];
    let at = 0;
    for (const match of text.matchAll(PIECE)) {
      if (match.index !== at) return failed();
      at += match[0].length;
      const parent = open.at(-1);
      if (!parent) return failed();
      const [, cdata, closed, name, attributes = '', empty, plain] = match;
      if (cdata !== undefined) parent.childNodes.push(new XmlNode(CDATA, '#cdata-section', cdata));
      else if (plain !== undefined) {
        if (parent !== document) parent.childNodes.push(new XmlNode(TEXT, '#text', unescaped(plain)));
      } else if (closed !== undefined) {
        if (open.pop()?.nodeName !== closed) return failed();
      } else if (name !== undefined) {
        const element = new XmlNode(ELEMENT, name, null, attributesOf(attributes));
        parent.childNodes.push(element);
        if (empty === '') open.push(element);
      }
    }
    return at === text.length && open.length === 1 && document.documentElement ? document : failed();
  }
}

const attributesOf = (text: string): Attribute[] =>
  Array.from(text.matchAll(ATTRIBUTE), ([, name = '', double, single]) => ({
    name,
    nodeName: name,
    localName: name.split(':').at(-1) ?? name,
    value: unescaped(double ?? single ?? ''),
  }));

function failed(): XmlNode {
  const document = new XmlNode(DOCUMENT, '#document');
  document.childNodes.push(new XmlNode(ELEMENT, 'parsererror'));
  return document;
}
