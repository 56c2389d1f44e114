import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kbps } from '../units.ts';
import { headersWithRtp, paceKeys, putRtp, urlWithRtp, withRtp } from './cmcd.ts';

const asked = paceKeys(kbps(9900), null);

describe('withRtp', () => {
  it.each([
    ['', 'io.github.dashjs-sammy,rtp=9900'],
    ['bl=2000,br=3300', 'bl=2000,br=3300,io.github.dashjs-sammy,rtp=9900'],
    ['sf=d,st=v', 'io.github.dashjs-sammy,rtp=9900,sf=d,st=v'],
    ['rtp=1200', 'io.github.dashjs-sammy,rtp=9900'],
    ['br=3300,rtp=1200,su', 'br=3300,io.github.dashjs-sammy,rtp=9900,su'],
    ['rtp=1,rtp=2,su', 'io.github.dashjs-sammy,rtp=9900,su'],
    // Commas and `rtp` in a quoted string are only text.
    ['cid="a,rtp=5,b",sid="x"', 'cid="a,rtp=5,b",io.github.dashjs-sammy,rtp=9900,sid="x"'],
    [String.raw`cid="a\",rtp=5",su`, String.raw`cid="a\",rtp=5",io.github.dashjs-sammy,rtp=9900,su`],
    // CMCD v2 inner lists.
    ['br=(3300;v 128;a),bl=(2000;v)', 'bl=(2000;v),br=(3300;v 128;a),io.github.dashjs-sammy,rtp=9900'],
    ['nor=("a,b" "c"),su', 'io.github.dashjs-sammy,nor=("a,b" "c"),rtp=9900,su'],
    [
      String.raw`nor=("a),b" "c\"),d"),br=(1)`,
      String.raw`br=(1),io.github.dashjs-sammy,nor=("a),b" "c\"),d"),rtp=9900`,
    ],
    ['sid="x", br=3300 , rtp=5', 'br=3300,io.github.dashjs-sammy,rtp=9900,sid="x"'],
    // Other keys whose names contain rtp.
    ['com.example-rtp=5,rtpx=1', 'com.example-rtp=5,io.github.dashjs-sammy,rtp=9900,rtpx=1'],
  ])('%j becomes %j', (cmcd, expected) => {
    expect(withRtp(cmcd, asked)).toBe(expected);
  });

  it.each([
    ['', ''],
    ['rtp=1200', ''],
    ['br=3300,rtp=1200,su', 'br=3300,su'],
    ['rtp', ''],
    ['cid="rtp=5"', 'cid="rtp=5"'],
  ])('without a pace %j becomes %j', (cmcd, expected) => {
    expect(withRtp(cmcd, [])).toBe(expected);
  });

  it('accepts any text as CMCD, and always contains exactly one pace', () => {
    const syntax = fc.constantFrom(...Array.from('",=();\\ '), 'rtp', 'rtp=5', 'br=1', 'sid=');
    fc.assert(
      fc.property(fc.array(syntax, { maxLength: 20 }), (parts) => {
        expect(withRtp(parts.join(''), asked)).toContain('rtp=9900');
      }),
    );
  });
});

describe('paceKeys', () => {
  it("are rtp, the plug-in's key, and the sum of the paces in flight if known", () => {
    expect(paceKeys(kbps(9801), kbps(13_000))).toEqual([
      'io.github.dashjs-sammy',
      'io.github.dashjs-sammy-sum=13000',
      'rtp=9900',
    ]);
    expect(paceKeys(kbps(9900), null)).toEqual(['io.github.dashjs-sammy', 'rtp=9900']);
    expect(paceKeys(null, null)).toEqual([]);
  });

  it('replace those of an earlier attempt', () => {
    const earlier = 'br=3300,io.github.dashjs-sammy,io.github.dashjs-sammy-sum=13000,rtp=100';
    expect(withRtp(earlier, asked)).toBe('br=3300,io.github.dashjs-sammy,rtp=9900');
    expect(withRtp(earlier, [])).toBe('br=3300');
  });
});

describe('withRtp, with an estimate', () => {
  it.each([
    // CTA-5004 Table 1: rounded to the nearest 100 kbit/s.
    ['mtp=9500', 64_449, 'mtp=64400'],
    ['mtp=9500', 64_450, 'mtp=64500'],
    ['br=3300,mtp=9500,su', 64_500, 'br=3300,mtp=64500,su'],
    // CMCD v2: an inner list with one item, whose parameter is the media type.
    ['br=(3300;v),mtp=(9500;v)', 64_500, 'br=(3300;v),mtp=(64500;v)'],
    ['mtp=(300;a)', 64_500, 'mtp=(64500;a)'],
    // Without an mtp of the application, none is added.
    ['br=3300', 64_500, 'br=3300'],
    ['', 64_500, ''],
    ['cid="mtp=9500",com.example-mtp=1,mtpx=2', 64_500, 'cid="mtp=9500",com.example-mtp=1,mtpx=2'],
  ])('%j, with an estimate of %d kbit/s, becomes %j', (cmcd, estimate, expected) => {
    expect(withRtp(cmcd, [], kbps(estimate))).toBe(expected);
  });

  it('does not change mtp without an estimate', () => {
    expect(withRtp('mtp=9500', asked)).toBe('io.github.dashjs-sammy,mtp=9500,rtp=9900');
  });

  it('finds mtp in a URL and in headers, whichever carries rtp', () => {
    const estimate = kbps(64_500);
    expect(urlWithRtp('1.m4s?CMCD=mtp%3D%289500%3Bv%29', asked, estimate)).toBe(
      '1.m4s?CMCD=io.github.dashjs-sammy%2Cmtp%3D(64500%3Bv)%2Crtp%3D9900',
    );
    expect(headersWithRtp({ 'CMCD-Request': 'bl=2000,mtp=9500' }, asked, estimate)).toEqual({
      'CMCD-Request': 'bl=2000,mtp=64500',
      'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900',
    });
  });
});

describe('urlWithRtp', () => {
  it.each([
    ['http://edge/1.m4s', 'http://edge/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    ['http://edge/1.m4s?', 'http://edge/1.m4s?&CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    ['http://edge/1.m4s?a=1&b=%20', 'http://edge/1.m4s?a=1&b=%20&CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    ['http://edge/1.m4s#t=5', 'http://edge/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900#t=5'],
    ['http://edge/1.m4s?a=1#x?y#z', 'http://edge/1.m4s?a=1&CMCD=io.github.dashjs-sammy%2Crtp%3D9900#x?y#z'],
    [
      '1.m4s?CMCD=br%3D3300%2Csu&b=2#f',
      '1.m4s?b=2&CMCD=br%3D3300%2Cio.github.dashjs-sammy%2Crtp%3D9900%2Csu#f',
    ],
    ['1.m4s?a=1&CMCD=rtp%3D1200', '1.m4s?a=1&CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    // Encoded as an HTML form, as in dash.js 5.2: a plus means a space, and %2B means a plus.
    [
      '1.m4s?CMCD=cid%3D%22my+film+%2B%22%2Crtp%3D100',
      '1.m4s?CMCD=cid%3D%22my%20film%20%2B%22%2Cio.github.dashjs-sammy%2Crtp%3D9900',
    ],
    [
      '1.m4s?CMCD=br%3D%283300%3Bv+1%3Ba%29',
      '1.m4s?CMCD=br%3D(3300%3Bv%201%3Ba)%2Cio.github.dashjs-sammy%2Crtp%3D9900',
    ],
    // A value without percent-encoding, and one that cannot be decoded.
    ['1.m4s?CMCD=br=3300,su', '1.m4s?CMCD=br%3D3300%2Cio.github.dashjs-sammy%2Crtp%3D9900%2Csu'],
    ['1.m4s?CMCD=%E0%A4%A&b=2', '1.m4s?b=2&CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    ['1.m4s?CMCD=', '1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    // Two CMCD parameters are merged, so that only one requests a pace.
    [
      '1.m4s?CMCD=su&a=1&CMCD=rtp%3D5%2Cbr%3D1',
      '1.m4s?a=1&CMCD=br%3D1%2Cio.github.dashjs-sammy%2Crtp%3D9900%2Csu',
    ],
    // Other parameters whose names contain CMCD.
    ['1.m4s?xCMCD=1&CMCDx=2', '1.m4s?xCMCD=1&CMCDx=2&CMCD=io.github.dashjs-sammy%2Crtp%3D9900'],
    // The replacement patterns of String.replace ($&) have no effect.
    ['1.m4s?CMCD=sid%3D%22%24%26%22', '1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900%2Csid%3D%22%24%26%22'],
  ])('%s becomes %s', (url, expected) => {
    expect(urlWithRtp(url, asked)).toBe(expected);
  });

  it.each([
    ['1.m4s', '1.m4s'],
    ['1.m4s?a=1#f', '1.m4s?a=1#f'],
    ['1.m4s?CMCD=rtp%3D1200', '1.m4s'],
    ['1.m4s?CMCD=rtp%3D1200#f', '1.m4s#f'],
    ['1.m4s?CMCD=rtp%3D1200&b=2', '1.m4s?b=2'],
    ['1.m4s?a=1&CMCD=rtp%3D1200&b=2', '1.m4s?a=1&b=2'],
    ['1.m4s?a=1&CMCD=rtp%3D1200', '1.m4s?a=1'],
    ['1.m4s?CMCD=br%3D1%2Crtp%3D1200', '1.m4s?CMCD=br%3D1'],
    ['1.m4s?CMCD=rtp%3D1&a=1&CMCD=rtp%3D2', '1.m4s?a=1'],
  ])('without a pace %s becomes %s', (url, expected) => {
    expect(urlWithRtp(url, [])).toBe(expected);
  });

  const parameter = fc
    .tuple(fc.constantFrom('a', 'b', 'token'), fc.string({ maxLength: 8 }).map(encodeURIComponent))
    .map(([name, value]) => `${name}=${value}`);
  it('does not change any other byte', () => {
    fc.assert(
      fc.property(fc.array(parameter), fc.array(parameter), fc.boolean(), (before, after, fragment) => {
        const tail = fragment ? '#fragment' : '';
        const putIntoUrl = (...parameters: string[]) => `/x?${parameters.join('&')}${tail}`;
        expect(urlWithRtp(putIntoUrl(...before, 'CMCD=su', ...after), asked)).toBe(
          putIntoUrl(...before, ...after, 'CMCD=io.github.dashjs-sammy%2Crtp%3D9900%2Csu'),
        );
        const plain = putIntoUrl('z=1', ...before);
        expect(urlWithRtp(urlWithRtp(plain, asked), [])).toBe(plain);
      }),
    );
  });
});

describe('headersWithRtp', () => {
  it('puts rtp into CMCD-Status (CTA-5004 Table 1) and does not change other headers', () => {
    const headers = { 'CMCD-Request': 'bl=2000', 'CMCD-Status': 'bs,rtp=100', Authorization: 'x' };
    expect(headersWithRtp(headers, asked)).toEqual({
      ...headers,
      'CMCD-Status': 'bs,io.github.dashjs-sammy,rtp=9900',
    });
    expect(headersWithRtp(headers, [])).toEqual({ ...headers, 'CMCD-Status': 'bs' });
    expect(headersWithRtp({}, asked)).toEqual({ 'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900' });
  });

  it('recognizes the header in any case', () => {
    // The browser would send both as one header.
    expect(headersWithRtp({ 'cmcd-status': 'bs,rtp=100' }, asked)).toEqual({
      'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900',
      'cmcd-status': 'bs',
    });
    expect(headersWithRtp({ 'cmcd-status': 'rtp=100' }, [])).toEqual({});
  });

  it('removes rtp from the other three headers', () => {
    const headers = { 'cmcd-request': 'bl=2000,rtp=100', 'CMCD-Object': 'rtp=100', 'X-CMCD': 'rtp=1' };
    const others = { 'cmcd-request': 'bl=2000', 'X-CMCD': 'rtp=1' };
    expect(headersWithRtp(headers, asked)).toEqual({
      ...others,
      'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900',
    });
    expect(headersWithRtp(headers, [])).toEqual(others);
  });

  it('leaves no empty header', () => {
    expect(headersWithRtp({ 'CMCD-Status': 'rtp=100' }, [])).toEqual({});
    expect(headersWithRtp({}, [])).toEqual({});
  });
});

describe('putRtp', () => {
  const byQuery = { url: '/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900' };
  const byHeader = { url: '/1.m4s', headers: { 'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900' } };
  it.each([
    [
      'goes along in the query',
      '/1.m4s?CMCD=su',
      undefined,
      'header',
      '/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900%2Csu',
      undefined,
    ],
    [
      'also beside other parameters',
      '/1.m4s?a=1&CMCD=su',
      undefined,
      'header',
      '/1.m4s?a=1&CMCD=io.github.dashjs-sammy%2Crtp%3D9900%2Csu',
      undefined,
    ],
    [
      'goes along in the headers',
      '/1.m4s',
      { 'cmcd-session': 'sid="x"' },
      'query',
      '/1.m4s',
      { 'cmcd-session': 'sid="x"', 'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900' },
    ],
    // The CMCD in the fragment is not sent, and the other header is not a CMCD header.
    [
      'where nothing is, in the query',
      '/1.m4s#?CMCD=su',
      { Range: 'bytes=0-9' },
      'query',
      '/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D9900#?CMCD=su',
      { Range: 'bytes=0-9' },
    ],
    [
      'or in a header',
      '/1.m4s?xCMCD=1',
      undefined,
      'header',
      '/1.m4s?xCMCD=1',
      { 'CMCD-Status': 'io.github.dashjs-sammy,rtp=9900' },
    ],
    [
      'once where both are',
      '/1.m4s?CMCD=rtp%3D5',
      { 'CMCD-Status': 'bs,rtp=7' },
      'query',
      '/1.m4s',
      { 'CMCD-Status': 'bs,io.github.dashjs-sammy,rtp=9900' },
    ],
  ] as const)('%s', (_, url, headers, otherwise, expectedUrl, expectedHeaders) => {
    const request = { url: url as string, ...(headers && { headers: { ...headers } }) };
    putRtp(request, asked, otherwise);
    expect(request).toEqual({ url: expectedUrl, ...(expectedHeaders && { headers: expectedHeaders }) });
  });

  it('removes a pace from the query and the headers if there is none', () => {
    for (const carrier of [byQuery, byHeader]) {
      const request = { ...carrier };
      putRtp(request, [], 'query');
      expect(request).toEqual({ url: '/1.m4s', ...('headers' in carrier && { headers: {} }) });
    }
  });
});
