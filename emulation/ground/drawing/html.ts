/** HTML that needs no escaping any more. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | undefined | readonly Value[];

/** Template tag: escapes what is put in, unless it is markup itself; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    strings.map((piece, index) => piece + (index < values.length ? textOf(values[index]) : '')).join(''),
  );
}

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
