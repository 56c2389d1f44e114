#include "cmcd_rtp.h"

#include <string.h>

typedef struct {
    const unsigned char  *at;
    const unsigned char  *end;
    cmcd_charset_t        charset;
} reader_t;

/* An item as far as it matters for rtp. */
typedef struct {
    int       is_number;
    int       negative;
    int       is_integer;
    int       length;   /* characters of the shortest decimal notation */
    uint64_t  integer;  /* the part before the point */
    int       is_zero;
    uint64_t  sum;      /* the sum of a list of bitrates; the list itself is not a number */
} item_t;

static const item_t NO_NUMBER;


/* The next byte, or -1 at the end. */
static int
peek(const reader_t *r)
{
    return r->at < r->end ? *r->at : -1;
}


static int
take(reader_t *r, int c)
{
    if (peek(r) != c) {
        return 0;
    }

    r->at++;
    return 1;
}


static int
is_digit(int c)
{
    return c >= '0' && c <= '9';
}


static int
is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


/* Whether a key may begin with this byte: a lower-case letter or an asterisk (RFC 8941, section 3.1.2). */
static int
is_key(int c)
{
    return (c >= 'a' && c <= 'z') || is_digit(c) || (c > 0 && strchr("_-.*", c) != NULL);
}


static int
is_token(int c)
{
    return is_letter(c) || is_digit(c) || (c > 0 && c < 128 && strchr("!#$%&'*+-.^_`|~:/", c) != NULL);
}


/*
 * The length of the white space character that begins at `p`, or 0. White space is what ECMAScript's trim removes, since
 * the other implementations of the policy use that.
 */
static size_t
space_at(const unsigned char *p, const unsigned char *end, cmcd_charset_t charset)
{
    size_t  left = (size_t) (end - p);

    if (left == 0) {
        return 0;
    }

    if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
        return 1;
    }

    if (charset == CMCD_LATIN_1) {
        return *p == 0xa0;
    }

    if (left >= 2 && p[0] == 0xc2 && p[1] == 0xa0) {
        return 2;
    }

    if (left < 3) {
        return 0;
    }

    /* U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF */
    if ((p[0] == 0xe1 && p[1] == 0x9a && p[2] == 0x80)
        || (p[0] == 0xe2 && p[1] == 0x80
            && ((p[2] >= 0x80 && p[2] <= 0x8a) || p[2] == 0xa8 || p[2] == 0xa9 || p[2] == 0xaf))
        || (p[0] == 0xe2 && p[1] == 0x81 && p[2] == 0x9f)
        || (p[0] == 0xe3 && p[1] == 0x80 && p[2] == 0x80)
        || (p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf))
    {
        return 3;
    }

    return 0;
}


static void
skip_space(reader_t *r)
{
    size_t  n;

    while ((n = space_at(r->at, r->end, r->charset)) > 0) {
        r->at += n;
    }
}


/* Removes white space from the end of the text. */
static void
cut_space(reader_t *r)
{
    size_t  n, longest;

    for ( ;; ) {
        longest = (size_t) (r->end - r->at) < 3 ? (size_t) (r->end - r->at) : 3;

        for (n = 1; n <= longest; n++) {
            if (space_at(r->end - n, r->end, r->charset) == n) {
                break;
            }
        }

        if (n > longest) {
            return;
        }

        r->end -= n;
    }
}


static int
read_key(reader_t *r, const unsigned char **key, size_t *length)
{
    int  first = peek(r);

    if (!(first == '*' || (first >= 'a' && first <= 'z'))) {
        return 0;
    }

    *key = r->at;
    while (is_key(peek(r))) {
        r->at++;
    }

    *length = (size_t) (r->at - *key);
    return 1;
}


/* RFC 8941, section 3.3.1 and 3.3.2: at most 15 digits, or 12 and a fraction of 1 to 3. */
static int
read_number(reader_t *r, item_t *item)
{
    int  digits = 0, significant = 0, decimals = 0, kept = 0;

    *item = NO_NUMBER;
    item->is_number = 1;
    item->is_integer = 1;
    item->negative = take(r, '-');

    for ( ; is_digit(peek(r)); r->at++) {
        if (++digits > 15) {
            return 0;
        }
        item->integer = item->integer * 10 + (uint64_t) (*r->at - '0');
        significant = item->integer > 0 ? significant + 1 : 0;
    }

    if (digits == 0) {
        return 0;
    }

    if (take(r, '.')) {
        if (digits > 12) {
            return 0;
        }
        for ( ; is_digit(peek(r)); r->at++) {
            if (++decimals > 3) {
                return 0;
            }
            if (*r->at != '0') {
                kept = decimals;
            }
        }
        if (decimals == 0) {
            return 0;
        }
    }

    item->is_integer = kept == 0;
    item->is_zero = item->integer == 0 && kept == 0;
    item->length = (item->negative && !item->is_zero) + (significant > 0 ? significant : 1)
                   + (kept > 0 ? 1 + kept : 0);
    return 1;
}


static int
read_string(reader_t *r)
{
    int  c;

    r->at++;

    for ( ;; ) {
        c = peek(r);
        if (c < 0) {
            return 0;
        }
        r->at++;

        if (c == '"') {
            return 1;
        }
        if (c == '\\') {
            c = peek(r);
            if (c != '"' && c != '\\') {
                return 0;
            }
            r->at++;

        } else if (c < 0x20 || c == 0x7f) {
            return 0;
        }
    }
}


/* A byte sequence. Accepts the base64 that browsers' atob accepts: white space is allowed, and padding optional. */
static int
read_bytes(reader_t *r)
{
    int     c;
    size_t  digits = 0, padding = 0;

    r->at++;

    for (c = peek(r); c != ':'; c = peek(r)) {
        if (is_letter(c) || is_digit(c) || c == '+' || c == '/') {
            if (padding > 0) {
                return 0;
            }
            digits++;

        } else if (c == '=') {
            padding++;

        } else if (c != ' ' && c != '\t' && c != '\f') {
            return 0;
        }
        r->at++;
    }

    r->at++;

    if (padding > 0) {
        return padding <= 2 && (digits + padding) % 4 == 0;
    }
    return digits % 4 != 1;
}


static int
read_bare_item(reader_t *r, item_t *item)
{
    int  c = peek(r);

    *item = NO_NUMBER;

    if (c == '-' || is_digit(c)) {
        return read_number(r, item);
    }
    if (c == '"') {
        return read_string(r);
    }
    if (c == ':') {
        return read_bytes(r);
    }
    if (c == '?') {
        r->at++;
        return take(r, '0') || take(r, '1');
    }
    if (c == '@') {
        item_t  seconds;

        r->at++;
        return read_number(r, &seconds) && seconds.is_integer;
    }
    if (c == '*' || is_letter(c)) {
        while (is_token(peek(r))) {
            r->at++;
        }
        return 1;
    }

    return 0;
}


static int
read_parameters(reader_t *r)
{
    size_t                length;
    item_t                ignored;
    const unsigned char  *key;

    while (take(r, ';')) {
        skip_space(r);
        if (!read_key(r, &key, &length)) {
            return 0;
        }
        if (take(r, '=') && !read_bare_item(r, &ignored)) {
            return 0;
        }
    }

    return 1;
}


/* Adds an item to the sum of a list's bitrates; the sum is 0 if one of the items is not a bitrate. */
static item_t
sum_of(item_t so_far, item_t item, int first)
{
    if (!item.is_number || !item.is_integer || item.is_zero || item.negative || item.integer > CMCD_RTP_MAX_KBPS
        || (!first && so_far.sum == 0))
    {
        return NO_NUMBER;
    }

    so_far.sum += item.integer;
    return so_far.sum > CMCD_RTP_MAX_KBPS ? NO_NUMBER : so_far;
}


/* Items in parentheses; an inner list contains no further lists. It is not a number, but may have a sum. */
static int
read_inner_list(reader_t *r, item_t *list)
{
    int     first = 1;
    item_t  item;

    r->at++;

    for ( ;; ) {
        skip_space(r);
        if (take(r, ')')) {
            return read_parameters(r);
        }
        if (!read_bare_item(r, &item) || !read_parameters(r)) {
            return 0;
        }
        *list = sum_of(*list, item, first);
        first = 0;
        if (peek(r) != ' ' && peek(r) != ')') {
            return 0;
        }
    }
}


/* A member's value and parameters. */
static int
read_member(reader_t *r, item_t *item)
{
    *item = NO_NUMBER;

    if (!take(r, '=')) {
        return read_parameters(r);
    }
    if (peek(r) == '(') {
        return read_inner_list(r, item);
    }
    return read_bare_item(r, item) && read_parameters(r);
}


static cmcd_rtp_t
reading(cmcd_rtp_kind_t kind)
{
    cmcd_rtp_t  rtp = { kind, 0, 0, 0, 0 };

    return rtp;
}


/* A bitrate, or the sum of a list of bitrates; 0 if it is neither. */
static uint32_t
bitrate_of(const item_t *item)
{
    item_t  only;

    if (!item->is_number) {
        return (uint32_t) item->sum;
    }

    only = sum_of(NO_NUMBER, *item, 1);
    return (uint32_t) only.sum;
}


/* Reads an rtp. The checks are in the order of parseRtp in src/wire/rtp.ts. */
static cmcd_rtp_t
pace_of(const item_t *item)
{
    cmcd_rtp_t  rtp = reading(CMCD_RTP_PACE);

    if (!item->is_number) {
        return reading(CMCD_RTP_NOT_A_NUMBER);
    }
    if (item->length > 16) {
        return reading(CMCD_RTP_TOO_LONG);
    }
    if (item->negative || item->is_zero) {
        return reading(CMCD_RTP_NOT_POSITIVE);
    }
    if (!item->is_integer) {
        return reading(CMCD_RTP_NOT_AN_INTEGER);
    }
    if (item->integer > CMCD_RTP_MAX_KBPS) {
        return reading(CMCD_RTP_ABSURDLY_LARGE);
    }

    rtp.kbps = (uint32_t) item->integer;
    return rtp;
}


static int
is_named(const unsigned char *key, size_t length, const char *name)
{
    return length == strlen(name) && memcmp(key, name, length) == 0;
}


cmcd_rtp_t
cmcd_rtp_read(const unsigned char *text, size_t length, cmcd_charset_t charset)
{
    size_t                key_length;
    item_t                item, rtp = NO_NUMBER, br = NO_NUMBER, tb = NO_NUMBER;
    cmcd_rtp_t            read;
    unsigned              found = 0, from_plugin = 0;
    reader_t              r = { text, text + length, charset };
    const unsigned char  *key;

    if (length > CMCD_MAX_LENGTH) {
        return reading(CMCD_RTP_CMCD_TOO_LONG);
    }

    skip_space(&r);
    cut_space(&r);

    while (r.at < r.end) {
        if (!read_key(&r, &key, &key_length) || !read_member(&r, &item)) {
            return reading(CMCD_RTP_MALFORMED);
        }

        if (is_named(key, key_length, "rtp")) {
            found++;
            rtp = item;

        } else if (is_named(key, key_length, "br")) {
            br = item;

        } else if (is_named(key, key_length, "tb")) {
            tb = item;

        } else if (is_named(key, key_length, CMCD_PLUGIN_KEY)) {
            from_plugin = 1;
        }

        skip_space(&r);
        if (r.at == r.end) {
            break;
        }
        if (!take(&r, ',')) {
            return reading(CMCD_RTP_MALFORMED);
        }
        skip_space(&r);
        if (r.at == r.end) {
            return reading(CMCD_RTP_MALFORMED);
        }
    }

    if (found == 1) {
        read = pace_of(&rtp);
    } else {
        read = reading(found == 0 ? CMCD_RTP_NONE : CMCD_RTP_REPEATED);
    }

    read.br = bitrate_of(&br);
    read.tb = bitrate_of(&tb);
    read.from_plugin = (int) from_plugin;
    return read;
}


/* Combines what two readings say besides their rtp. */
static cmcd_rtp_t
with_both(cmcd_rtp_t rtp, const cmcd_rtp_t *a, const cmcd_rtp_t *b)
{
    rtp.br = a->br > b->br ? a->br : b->br;
    rtp.tb = a->tb > b->tb ? a->tb : b->tb;
    rtp.from_plugin = a->from_plugin || b->from_plugin;
    return rtp;
}


cmcd_rtp_t
cmcd_rtp_only(cmcd_rtp_t first, cmcd_rtp_t second)
{
    cmcd_rtp_t  one = reading(CMCD_RTP_REPEATED);

    if (first.kind > CMCD_RTP_PACE || second.kind == CMCD_RTP_NONE) {
        one = first;
    } else if (first.kind == CMCD_RTP_NONE || second.kind > CMCD_RTP_PACE) {
        one = second;
    }
    return with_both(one, &first, &second);
}


cmcd_rtp_t
cmcd_rtp_agree(cmcd_rtp_t query, cmcd_rtp_t header)
{
    cmcd_rtp_t  one = reading(CMCD_RTP_DISAGREEING);

    if (query.kind == CMCD_RTP_NONE) {
        one = header;
    } else if (header.kind == CMCD_RTP_NONE || query.kind > CMCD_RTP_PACE) {
        one = query;
    } else if (header.kind > CMCD_RTP_PACE || header.kbps == query.kbps) {
        one = header;
    }
    return with_both(one, &query, &header);
}


uint32_t
cmcd_bitrate(const cmcd_rtp_t *rtp)
{
    return rtp->br ? rtp->br : rtp->tb;
}


uint32_t
cmcd_safe_pace(const cmcd_rtp_t *rtp)
{
    uint32_t  least;

    if (rtp->from_plugin) {
        return rtp->kbps;
    }

    least = (cmcd_bitrate(rtp) * 3 + 1) / 2;
    if (least > CMCD_RTP_MAX_KBPS) {
        least = CMCD_RTP_MAX_KBPS;
    }
    return least > rtp->kbps ? least : rtp->kbps;
}


static int
hex(int c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


/* The byte that a percent-encoding stands for; -1 if it is not a valid encoding. */
static int
encoded(const unsigned char *p, const unsigned char *end)
{
    if (end - p < 3 || p[0] != '%' || hex(p[1]) < 0 || hex(p[2]) < 0) {
        return -1;
    }
    return hex(p[1]) * 16 + hex(p[2]);
}


size_t
cmcd_parameter_value(const unsigned char *part, size_t length)
{
    size_t                i;
    const unsigned char  *p = part, *end = part + length;

    for (i = 0; i < 4; i++) {
        if (p < end && *p == "CMCD"[i]) {
            p++;
        } else if (encoded(p, end) == "CMCD"[i]) {
            p += 3;
        } else {
            return 0;
        }
    }

    if (p == end) {
        return length;
    }
    return *p == '=' ? (size_t) (p - part) + 1 : 0;
}


size_t
cmcd_decode(unsigned char *to, const unsigned char *from, size_t length)
{
    int                   byte;
    unsigned char        *start = to;
    const unsigned char  *end = from + length;

    while (from < end) {
        byte = encoded(from, end);
        if (byte >= 0) {
            *to++ = (unsigned char) byte;
            from += 3;
        } else {
            *to++ = *from == '+' ? ' ' : *from;
            from++;
        }
    }

    return (size_t) (to - start);
}


const char *
cmcd_rtp_refusal(cmcd_rtp_kind_t kind)
{
    switch (kind) {
    case CMCD_RTP_NOT_A_NUMBER:
        return "not-a-number";
    case CMCD_RTP_NOT_AN_INTEGER:
        return "not-an-integer";
    case CMCD_RTP_NOT_POSITIVE:
        return "not-positive";
    case CMCD_RTP_ABSURDLY_LARGE:
        return "absurdly-large";
    case CMCD_RTP_TOO_LONG:
        return "too-long";
    case CMCD_RTP_CMCD_TOO_LONG:
        return "cmcd-too-long";
    case CMCD_RTP_MALFORMED:
        return "malformed";
    case CMCD_RTP_REPEATED:
        return "repeated";
    case CMCD_RTP_DISAGREEING:
        return "disagreeing";
    default:
        return NULL;
    }
}
