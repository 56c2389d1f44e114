/** HTML that needs no further escaping. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | undefined | readonly Value[];

/** Template tag that escapes every value except `Markup`. Joins lists, and renders undefined as nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    strings.map((piece, index) => piece + (index < values.length ? renderValue(values[index]) : '')).join(''),
  );
}

function renderValue(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(renderValue).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
