import { readFileSync } from 'node:fs';
import { html, Markup } from './html.ts';

const style = new Markup(readFileSync(new URL('style.css', import.meta.url), 'utf8'));

/** A complete report of the lab: one self-contained page with static figures and no script. */
export const document = (experiment: string, content: Markup): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${experiment} · dashjs-sammy lab</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `.text;
