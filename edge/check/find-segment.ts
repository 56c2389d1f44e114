/** Whether a URL or a media type indicates a DASH or HLS manifest. */
export const isManifest = ({ pathname }: Pick<URL, 'pathname'>, type = ''): boolean =>
  /\.(mpd|m3u8?)$/i.test(pathname) ||
  /^(application\/dash\+xml|application\/(vnd\.apple\.|x-)mpegurl|audio\/mpegurl)\b/i.test(type);

/**
 * The maximum number of manifests to read before a segment is found. HLS needs two: the multivariant playlist and a
 * media playlist.
 */
const MOST_MANIFESTS = 3;

/**
 * Returns the URL of a media segment in the manifest at `url`, of the video with the highest bitrate. `read` returns
 * the text at a URL. Throws a one-line Error if there is no segment.
 */
export async function findSegment(
  url: URL,
  read: (url: URL) => Promise<string>,
  now = Date.now(),
): Promise<URL> {
  let at = url;
  for (let depth = 0; depth < MOST_MANIFESTS; depth++) {
    const text = await read(at);
    const named = text.trimStart().startsWith('#EXTM3U') ? nameInPlaylist(text) : nameInMpd(text, now);
    if (named === null)
      throw new Error(
        `check finds no media segment in the manifest ${at.href}; give the URL of a media segment`,
      );
    at = named.bases.concat(named.uri).reduce((base, next) => new URL(next, base), at);
    if (!isManifest(at)) return at;
  }
  throw new Error(`check finds only further manifests in ${url.href}; give the URL of a media segment`);
}

/** A URI, and the base URIs against which it is resolved, the outermost first. */
interface Named {
  readonly bases: readonly string[];
  readonly uri: string;
}

/**
 * Returns the URI of the playlist with the highest bandwidth (in a multivariant playlist) or of the first segment (RFC
 * 8216 §4.3).
 */
function nameInPlaylist(text: string): Named | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const uris = lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const bandwidth = /^#EXT-X-STREAM-INF:.*\bBANDWIDTH=(\d+)/.exec(lines[index - 1] ?? '')?.[1];
    return [{ uri: line, bandwidth: Number(bandwidth ?? 0) }];
  });
  const [best] = uris.sort((a, b) => b.bandwidth - a.bandwidth);
  return best ? { bases: [], uri: best.uri } : null;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const unescapeXml = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
  );

/** Parses the elements of an MPD. Sufficient for MPDs, in which an element has either text or child elements. */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, end, name = '', attributes = '', isEmpty, text] of xml
    .replace(/<!--.*?-->/gs, '')
    .matchAll(TAG)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += unescapeXml(text.trim());
    else if (end) open.splice(Math.max(1, open.length - 1));
    else {
      const element: Element = {
        name: name.replace(/^.*:/, ''),
        attributes: Object.fromEntries(
          [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', a, b]) => [key, unescapeXml(a ?? b ?? '')]),
        ),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  return root;
}

const findChildren = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** A segment of the video representation with the highest bandwidth (ISO/IEC 23009-1 §5.3.9). */
function nameInMpd(xml: string, now: number): Named | null {
  const [mpd] = findChildren(parseXml(xml), 'MPD');
  const [period] = findChildren(mpd, 'Period');
  const found = findChildren(period, 'AdaptationSet')
    .flatMap((set) => findChildren(set, 'Representation').map((representation) => ({ set, representation })))
    .map((each) => ({ ...each, isVideo: isVideo(each.set) || isVideo(each.representation) }))
    .sort(
      (a, b) =>
        Number(b.isVideo) - Number(a.isVideo) ||
        Number(b.representation.attributes.bandwidth) - Number(a.representation.attributes.bandwidth),
    )[0];
  if (mpd === undefined || period === undefined || found === undefined) return null;
  const levels = [mpd, period, found.set, found.representation];
  const bases = levels.flatMap((level) =>
    findChildren(level, 'BaseURL')
      .slice(0, 1)
      .map(({ text }) => text),
  );
  const templates = levels.flatMap((level) => findChildren(level, 'SegmentTemplate'));
  if (templates.length > 0) {
    const uri = nameByTemplate(templates, found.representation, { mpd, period, now });
    return uri === null ? null : { bases, uri };
  }
  const listed = levels.flatMap((level) => findChildren(level, 'SegmentList')).at(-1);
  const uri = findChildren(listed, 'SegmentURL')[0]?.attributes.media;
  if (uri !== undefined) return { bases, uri };
  // Without a segment list or template, the representation is a single file with byte ranges.
  return bases.length > 0 ? { bases: bases.slice(0, -1), uri: bases.at(-1) ?? '' } : null;
}

const isVideo = ({ attributes }: Element): boolean =>
  /^video\b/.test(attributes.contentType ?? attributes.mimeType ?? '');

function nameByTemplate(
  templates: readonly Element[],
  { attributes: { id = '', bandwidth = '' } }: Element,
  { mpd, period, now }: { readonly mpd: Element; readonly period: Element; readonly now: number },
): string | null {
  const merged = Object.assign({}, ...templates.map(({ attributes }) => attributes)) as Record<
    string,
    string
  >;
  const { media, startNumber = '1', timescale = '1', duration } = merged;
  if (media === undefined) return null;
  const timeline = findChildren(
    templates.flatMap((each) => findChildren(each, 'SegmentTimeline')).at(-1),
    'S',
  );
  const isLive = mpd.attributes.type === 'dynamic';
  let number = Number(startNumber);
  if (isLive && timeline.length === 0 && duration !== undefined) {
    const began =
      Date.parse(mpd.attributes.availabilityStartTime ?? '') + secondsIn(period.attributes.start) * 1000;
    // Choose the third segment from the end, which is certainly complete.
    number += Math.max(0, Math.floor(((now - began) / 1000 / Number(duration)) * Number(timescale)) - 2);
  }
  const values: Record<string, string> = {
    RepresentationID: id,
    Bandwidth: bandwidth,
    Number: String(number),
    Time: timeline[0]?.attributes.t ?? '0',
  };
  return media.replace(/\$(\w*)(?:%0(\d+)d)?\$/g, (_, name: string, width = '0') =>
    name === '' ? '$' : (values[name] ?? '').padStart(Number(width), '0'),
  );
}

/** Converts a duration such as `PT1M30.5S` to seconds; 0 if missing. */
function secondsIn(duration = ''): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
