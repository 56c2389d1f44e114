import { plot, type PlotOptions } from '@observablehq/plot';
import { Window } from 'happy-dom';
import { Markup } from './html.ts';

// Plot draws into a DOM; happy-dom is one without a browser. Its types are its own, and lack nothing that Plot calls.
const document = new Window().document as unknown as Document;

/** Room for the labels of the axes, px. */
const ROOM = { marginTop: 30, marginBottom: 40 };

/** A chart as inline SVG; `label` is what a screen reader says. Colors are the page's CSS variables. */
export function svg(label: string, options: PlotOptions): Markup {
  const element = plot({
    ...(options.margin === undefined && ROOM),
    ...options,
    // The label of an axis says what it counts; an arrow beside it says nothing more.
    ...(options.x && { x: { labelArrow: 'none', ...options.x } }),
    ...(options.y && { y: { labelArrow: 'none', ...options.y } }),
    document,
    className: 'plot',
    ariaLabel: label,
    style: { fontSize: '12px', fontFamily: 'inherit' },
  });
  element.setAttribute('role', 'img');
  return new Markup(element.outerHTML);
}
