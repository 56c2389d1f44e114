import { legendMark } from './legend-mark.ts';
import type { Figure } from './figure.ts';
import { html, type Markup } from './html.ts';

export function figureSection(figure: Figure, number: number): Markup {
  const { title, caption, charts, columns = 1, legend = [], folded } = figure;
  const heading = `Figure ${number}. ${title}`;
  const body = html`<figure>
    ${
      legend.length > 0
        ? html`<ul class="legend">
            ${legend.map((look) => html`<li>${legendMark(look)}${look.name}</li>`)}
          </ul>`
        : undefined
    }
    <div class="charts columns-${columns}">${charts}</div>
    <figcaption>${caption}</figcaption>
  </figure>`;
  return folded
    ? html`<details class="figure">
        <summary>${heading}</summary>
        ${body}
      </details>`
    : html`<section>
        <h2>${heading}</h2>
        ${body}
      </section>`;
}
