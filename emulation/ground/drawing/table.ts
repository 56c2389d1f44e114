import { html, type Markup } from './html.ts';

type Content = string | number | Markup | undefined;

interface TableLook {
  /** The indexes of left-aligned text columns. */
  readonly names?: readonly number[];
  /** The class for style.css. */
  readonly kind?: 'verdicts';
}

/** A table that scrolls if it does not fit. The first cell of each row is its header. */
export function table(
  heads: readonly Content[],
  rows: readonly (readonly Content[])[],
  { names = [], kind }: TableLook = {},
): Markup {
  const look = (column: number) => (names.includes(column) ? html` class="name"` : undefined);
  const row = (cells: readonly Content[]) =>
    cells.map((cell, column) =>
      column === 0
        ? html`<th${look(column)} scope="row">${cell}</th>`
        : html`<td${look(column)}>${cell}</td>`,
    );
  return html`<div class="scroll">
    <table${kind && html` class="${kind}"`}>
      <thead>
        <tr>
          ${heads.map((head, column) => html`<th${look(column)} scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${row(cells)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
