/**
 * Returns the element that matches a selector. Throws an Error that names the selector if there is none of this
 * class.
 */
export function element<Kind extends Element>(
  selector: string,
  kind: new () => Kind,
  within: ParentNode = document,
): Kind {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} ${selector} on this page`);
  return found;
}

export function setText(selector: string, text: string, within: ParentNode = document): void {
  const target = element(selector, HTMLElement, within);
  // A screen reader announces a status that is written again.
  if (target.textContent !== text) target.textContent = text;
}
