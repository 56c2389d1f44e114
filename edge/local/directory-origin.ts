import fresh from 'fresh';
import { lookup } from 'mrmime';
import { lstat, realpath, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { selectRange } from '../byte-range.ts';
import { plainResponse, type Origin } from '../origin.ts';
import { fileBody, FilePart, openFile } from './file-part.ts';
import { openCachedRead } from './kernel/cached-read.ts';

/** Serves the files below a directory. Throws an Error if the directory cannot be read. */
export async function directoryOrigin(directory: string): Promise<Origin> {
  const root = await realDirectory(directory);
  const cachedRead = await openCachedRead();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const found = await openBelow(root, pathname);
    if (found === 'exhausted') {
      return plainResponse(503, 'too many files are open; ask again', { 'Retry-After': '1' });
    }
    if (!found) return plainResponse(404, `there is no file ${pathname}`);
    const { file, path } = found;
    // Close the file here, unless a body has been created, which closes the file itself.
    let taken = false;
    try {
      const stat = await file.stat();
      const { size, mtime } = stat;
      const headers = {
        'Accept-Ranges': 'bytes',
        // Caches revalidate, because files may change while the edge runs.
        'Cache-Control': 'no-cache',
        'Content-Type': contentType(pathname),
        ETag: `"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
        'Last-Modified': mtime.toUTCString(),
      };
      if (hasChanged(request, headers)) return plainResponse(412, `the file ${pathname} has changed`);
      if (isFresh(request, headers)) return new Response(null, { status: 304, headers });

      const range = mayBeRange(request, headers) ? selectRange(request.headers.get('Range'), size) : 'whole';
      if (range === 'unsatisfiable') {
        return plainResponse(416, `the file has ${size} bytes`, { 'Content-Range': `bytes */${size}` });
      }
      const part = range === 'whole' ? { first: 0, last: size - 1 } : range;
      taken = request.method !== 'HEAD';
      return new Response(taken ? fileBody(new FilePart(path, stat, file, part, cachedRead)) : null, {
        status: range === 'whole' ? 200 : 206,
        headers: {
          ...headers,
          'Content-Length': String(part.last - part.first + 1),
          ...(range !== 'whole' && { 'Content-Range': `bytes ${range.first}-${range.last}/${size}` }),
        },
      });
    } finally {
      if (!taken) await file.close();
    }
  };
}

async function realDirectory(directory: string): Promise<string> {
  try {
    const path = await realpath(directory);
    if ((await lstat(path)).isDirectory()) return path;
  } catch {
    throw new Error(`the origin '${directory}' does not exist; give a directory or an http(s) URL`);
  }
  throw new Error(`the origin '${directory}' is not a directory; give a directory or an http(s) URL`);
}

/**
 * Opens the regular file for a URL path. Returns null if there is none, and 'exhausted' if the system cannot open more
 * files. No part of the path may begin with a dot, neither in the URL nor after resolving symbolic links. Symbolic
 * links must stay below the root.
 */
async function openBelow(
  root: string,
  pathname: string,
): Promise<{ file: FileHandle; path: string } | 'exhausted' | null> {
  try {
    const parts = decodeURIComponent(pathname).split('/').slice(1);
    if (
      parts.some((part) => part === '' || part.startsWith('.') || /[\0\\]/.test(part) || part.includes(sep))
    ) {
      return null;
    }
    const path = await realpath(join(root, ...parts));
    const below = relative(root, path).split(sep);
    if (below.some((part) => part === '' || part.startsWith('.'))) return null;
    // Check this before opening the file, because opening a pipe or a device may block.
    if (!(await lstat(path)).isFile()) return null;
    return { file: await openFile(path), path };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'EMFILE' || code === 'ENFILE' ? 'exhausted' : null;
  }
}

const EXTRA_TYPES: Record<string, string> = { m4s: 'video/iso.segment', mpd: 'application/dash+xml' };

function contentType(pathname: string): string {
  const extension = pathname.slice(pathname.lastIndexOf('.') + 1).toLowerCase();
  const type = EXTRA_TYPES[extension] ?? lookup(extension) ?? 'application/octet-stream';
  return /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether a precondition rejects this version: If-Match and, without it, If-Unmodified-Since (RFC 9110 §13.1). */
function hasChanged({ headers }: Request, validators: Record<'ETag' | 'Last-Modified', string>): boolean {
  const match = headers.get('If-Match');
  // Compare strongly: a weak tag, W/"...", matches nothing.
  if (match !== null)
    return match.trim() !== '*' && !match.split(',').some((tag) => tag.trim() === validators.ETag);
  // An invalid date has no effect. Both dates have whole seconds.
  return Date.parse(validators['Last-Modified']) > Date.parse(headers.get('If-Unmodified-Since') ?? '');
}

const isFresh = (request: Request, validators: Record<'ETag' | 'Last-Modified', string>): boolean =>
  fresh(Object.fromEntries(request.headers), {
    etag: validators.ETag,
    'last-modified': validators['Last-Modified'],
  });

/**
 * Whether If-Range allows a range (RFC 9110 §13.1.5). It does only if the file is still the version of which the client
 * has a part.
 */
function mayBeRange(request: Request, validators: Record<'ETag' | 'Last-Modified', string>): boolean {
  const condition = request.headers.get('If-Range');
  return condition === null || condition === validators.ETag || condition === validators['Last-Modified'];
}
