"""Building blocks of the reports, which are self-contained HTML pages."""

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 62rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-bottom: 1px solid #ddd; } h3 { margin-bottom: 0; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .92rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #eee; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { border-left: .4rem solid #999; padding: .4rem .8rem; margin: .6rem 0; background: #f7f7f7; }
.mark { display: inline-block; border-left: .4rem solid #999; padding-left: .4rem; }
.better { border-color: #1b7837; } .worse { border-color: #b2182b; } .changed { border-color: #4575b4; }
.alarm { border: 2px solid #b2182b; padding: .6rem; background: #fdeeee; } .note { color: #555; font-size: .92rem; }
.headline { font-size: 1.2rem; font-weight: 600; }
.effect { display: grid; grid-template-columns: 15rem 1fr; gap: 0 1rem; margin: .45rem 0; padding-left: .5rem; }
.effect { border-left: .4rem solid #999; } .effect .name { font-weight: 600; }
.effect svg { grid-column: 1 / -1; width: 100%; height: .9rem; background: #f7f7f7; }
.effect path { vector-effect: non-scaling-stroke; } .zero { stroke: #999; }
.reach { stroke: #4575b4; stroke-width: 4; } .at { stroke: #222; stroke-width: 2; }
.effect.better { border-color: #1b7837; } .effect.better .reach { stroke: #1b7837; }
.effect.worse { border-color: #b2182b; } .effect.worse .reach { stroke: #b2182b; }
.effect.assumed { border-left-style: dashed; } .effect.assumed .reach, .effect.unclear .reach { stroke: #999; }
@media (max-width: 40rem) {
  .effect { grid-template-columns: 1fr; }
  figure { overflow-x: auto; } figure svg { max-width: none; min-width: 34rem; }
}
details { border-bottom: 1px solid #ddd; } summary { cursor: pointer; padding: .5rem 0; font-weight: 600; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { color: #555; font-size: .92rem; }
@media print {
  body { max-width: none; font-size: 11px; } .wide { overflow: visible; } h2, h3 { break-after: avoid; }
  tr, figure, .effect, .verdict { break-inside: avoid; } .effect svg, .verdict { print-color-adjust: exact; }
}
"""


def page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body>\n<h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def table(header: list[str], rows: list[list[str]], numbers: set[int]) -> str:
    """Formats a table. Cells are HTML; the columns in `numbers` are right-aligned."""

    def cells(tag: str, row: list[str]) -> str:
        return "".join(
            f"<{tag}{' class=n' if column in numbers else ''}>{text}</{tag}>"
            for column, text in enumerate(row)
        )

    lines = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<div class=wide><table><thead><tr>{cells('th', header)}</tr></thead><tbody>{lines}</tbody></table></div>"


def figure(svg: str | None, caption: str) -> str:
    return "" if svg is None else f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"
