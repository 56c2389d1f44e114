import { plot, type PlotOptions } from '@observablehq/plot';
import { Window } from 'happy-dom';
import { Markup } from './html.ts';

// Plot draws into a DOM, which happy-dom provides without a browser. The types of happy-dom differ from the standard
// DOM types, but it has everything that Plot calls.
const document = new Window().document as unknown as Document;

/** The margins for the labels of the axes, px. */
const ROOM = { marginTop: 30, marginBottom: 40 };

/** Renders a chart as inline SVG. `label` is the text for screen readers; colors are the page's CSS variables. */
export function svg(label: string, options: PlotOptions): Markup {
  const element = plot({
    ...(options.margin === undefined && ROOM),
    ...options,
    // The label already names the axis, so the arrow that Plot adds is redundant.
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
