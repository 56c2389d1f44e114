/**
 * Returns the element that matches a selector. Throws an Error that names the selector if there is no such element of
 * this class.
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
  // Write only changed texts, because a screen reader announces a status each time it is written.
  if (target.textContent !== text) target.textContent = text;
}
