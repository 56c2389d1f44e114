import { html, type Markup } from './html.ts';

type Content = string | Markup;

/** How the cells of a table are made: usually all heads are of columns, and the first cell of a row is its head. */
export interface TableLook {
  readonly head?: (content: Content) => Markup;
  readonly first?: (content: Content) => Markup;
  readonly other?: (content: Content) => Markup;
}

const columnHead = (content: Content): Markup => html`<th scope="col">${content}</th>`;
const rowHead = (content: Content): Markup => html`<th scope="row">${content}</th>`;
const plain = (content: Content): Markup => html`<td>${content}</td>`;

/** Every cell alike. */
export const PLAIN: TableLook = { head: (content) => html`<th>${content}</th>`, first: plain };

/** A table that scrolls where there is no room for it. */
export const table = (
  heads: readonly Content[],
  rows: readonly (readonly Content[])[],
  { head = columnHead, first = rowHead, other = plain }: TableLook = {},
): Markup =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads.map((each) => head(each))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? first(cell) : other(cell)))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
