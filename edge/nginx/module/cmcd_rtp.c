#include "cmcd_rtp.h"

#include <string.h>

/* A piece of text. */
typedef struct {
    const unsigned char  *at;
    const unsigned char  *end;
} span_t;


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


/*
 * Replaces each quoted string and each escaped character by `~`, so that every remaining comma ends a member. A string
 * without a closing quote extends to the end of the text. Returns the new length.
 */
static size_t
hide_strings(unsigned char *text, size_t length)
{
    unsigned char        *to = text;
    const unsigned char  *p = text, *end = text + length;

    while (p < end) {
        if (*p == '\\' && end - p > 1) {
            p += 2;
            *to++ = '~';

        } else if (*p == '"') {
            for (p++; p < end && *p != '"'; p++) {
                if (*p == '\\' && end - p > 1) {
                    p++;
                }
            }
            if (p < end) {
                p++;
            }
            *to++ = '~';

        } else {
            *to++ = *p++;
        }
    }

    return (size_t) (to - text);
}


static int
is_space(int c)
{
    return c == ' ' || c == '\t';
}


/* Returns the text before the first occurrence of either byte, or the entire text. */
static span_t
up_to(span_t text, int one, int other)
{
    const unsigned char  *p = text.at;

    while (p < text.end && *p != one && *p != other) {
        p++;
    }

    text.end = p;
    return text;
}


static cmcd_rtp_t
reading(cmcd_rtp_kind_t kind)
{
    cmcd_rtp_t  rtp = { kind, 0, 0, 1, 0 };

    return rtp;
}


/* Reads digits, and an optional fraction. Returns the end of the number, or NULL if there is none. */
static const unsigned char *
read_number(span_t text, uint64_t *integer, int *has_fraction)
{
    const unsigned char  *p = text.at, *from;

    *integer = 0;
    *has_fraction = 0;

    for (from = p; p < text.end && is_digit(*p); p++) {
        /* Ignore further digits: the number is already above CMCD_RTP_MAX_KBPS, and must not overflow. */
        if (*integer < UINT64_MAX / 100) {
            *integer = *integer * 10 + (uint64_t) (*p - '0');
        }
    }
    if (p == from) {
        return NULL;
    }

    if (p == text.end || *p != '.') {
        return p;
    }

    for (from = ++p; p < text.end && is_digit(*p); p++) {
        *has_fraction |= *p != '0';
    }
    return p == from ? NULL : p;
}


/* Reads an rtp. The checks are in the order of readRtp in edge/cmcd.ts, which calls parseRtp of src/wire/rtp.ts. */
static cmcd_rtp_t
pace_of(span_t value)
{
    int                   negative, has_fraction;
    uint64_t              integer;
    span_t                text = up_to(value, ';', ';'), number = text;
    cmcd_rtp_t            rtp = reading(CMCD_RTP_PACE);
    const unsigned char  *p;

    for (p = text.at; p < text.end; p++) {
        if (!is_digit(*p) && *p != '-' && *p != '.') {
            return reading(CMCD_RTP_NOT_A_NUMBER);
        }
    }
    if (text.end - text.at > 16) {
        return reading(CMCD_RTP_TOO_LONG);
    }

    negative = number.at < number.end && *number.at == '-';
    number.at += negative;
    if (read_number(number, &integer, &has_fraction) != number.end) {
        return reading(CMCD_RTP_NOT_A_NUMBER);
    }
    if (negative || (integer == 0 && !has_fraction)) {
        return reading(CMCD_RTP_NOT_POSITIVE);
    }
    if (has_fraction) {
        return reading(CMCD_RTP_NOT_AN_INTEGER);
    }
    if (integer > CMCD_RTP_MAX_KBPS) {
        return reading(CMCD_RTP_ABSURDLY_LARGE);
    }

    rtp.kbps = (uint32_t) integer;
    return rtp;
}


/* Returns the maximum of `most` and the bitrates in a value, which is a number or an inner list. */
static uint32_t
largest_rate(span_t value, uint32_t most)
{
    int                   has_fraction;
    uint64_t              integer;
    span_t                number = value;
    const unsigned char  *p, *end;

    for (p = value.at; p < value.end; p++) {
        if (p > value.at && p[-1] != '(' && p[-1] != ' ') {
            continue;
        }

        number.at = p;
        end = read_number(number, &integer, &has_fraction);
        if (end == NULL || (end < value.end && *end != ')' && *end != ';' && *end != ' ')) {
            continue;
        }
        if (integer > most && integer <= CMCD_RTP_MAX_KBPS) {
            most = (uint32_t) integer;
        }
    }

    return most;
}


/* Returns the maximum of `most` and a playback rate, rounded up. A rate of 100 or more is ignored as a mistake. */
static uint32_t
largest_playback_rate(span_t value, uint32_t most)
{
    int                   has_fraction;
    uint64_t              integer;
    span_t                text = up_to(value, ';', ';'), digits = up_to(text, '.', '.');
    const unsigned char  *end = read_number(text, &integer, &has_fraction);

    if (end != text.end || digits.end - digits.at > 2) {
        return most;
    }

    integer += has_fraction;
    return integer > most ? (uint32_t) integer : most;
}


static int
is_named(span_t key, const char *name)
{
    size_t  length = (size_t) (key.end - key.at);

    return length == strlen(name) && memcmp(key.at, name, length) == 0;
}


/* Combines the readings of two rtp values. The result is a refusal if either was refused or if they differ. */
static cmcd_rtp_t
agreeing(cmcd_rtp_t before, cmcd_rtp_t rtp)
{
    if (before.kind == CMCD_RTP_NONE) {
        return rtp;
    }
    /* Keep the first refusal, because an unreadable rtp is more informative than a difference. */
    if (before.kind > CMCD_RTP_PACE && before.kind != CMCD_RTP_DISAGREEING) {
        return before;
    }
    if (rtp.kind > CMCD_RTP_PACE) {
        return rtp;
    }
    return before.kind == CMCD_RTP_PACE && before.kbps == rtp.kbps ? before : reading(CMCD_RTP_DISAGREEING);
}


cmcd_rtp_t
cmcd_rtp_read(unsigned char *text, size_t length)
{
    span_t      rest = { text, NULL }, member, key, value;
    uint32_t    bitrate = 0, playback_rate = 1;
    cmcd_rtp_t  rtp = reading(CMCD_RTP_NONE);
    int         from_plugin = 0;

    rest.end = text + hide_strings(text, length);

    for ( ;; ) {
        member = up_to(rest, ',', ',');

        value = member;
        while (value.at < value.end && is_space(*value.at)) {
            value.at++;
        }
        while (value.at < value.end && is_space(value.end[-1])) {
            value.end--;
        }

        key = up_to(value, '=', ';');
        value.at = key.end + (key.end < value.end && *key.end == '=');

        if (is_named(key, "rtp")) {
            rtp = agreeing(rtp, pace_of(value));

        } else if (is_named(key, "br") || is_named(key, "tb")) {
            bitrate = largest_rate(value, bitrate);

        } else if (is_named(key, "pr")) {
            playback_rate = largest_playback_rate(value, playback_rate);

        } else if (is_named(key, CMCD_PLUGIN_KEY)) {
            from_plugin = 1;
        }

        if (member.end == rest.end) {
            break;
        }
        rest.at = member.end + 1;
    }

    rtp.bitrate = bitrate;
    rtp.playback_rate = playback_rate;
    rtp.from_plugin = from_plugin;
    return rtp;
}


uint32_t
cmcd_safe_pace(const cmcd_rtp_t *rtp, uint32_t foreign_floor)
{
    uint64_t  least;

    if (rtp->from_plugin) {
        return rtp->kbps;
    }

    least = (uint64_t) rtp->bitrate * CMCD_FOREIGN_BITRATES;
    if (least < foreign_floor) {
        least = foreign_floor;
    }

    least *= rtp->playback_rate;
    if (least > CMCD_RTP_MAX_KBPS) {
        least = CMCD_RTP_MAX_KBPS;
    }
    return least > rtp->kbps ? (uint32_t) least : rtp->kbps;
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


/* Returns the byte of a percent-encoding; -1 if invalid. */
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


/* Whether the punctuation after the first key is still percent-encoded, because the player encoded the value twice. */
static int
is_encoded_twice(const unsigned char *p, size_t length)
{
    int                   byte;
    const unsigned char  *end = p + length, *key = p;

    /* strchr also finds the zero byte that ends the string. */
    while (p < end && (is_digit(*p) || is_letter(*p) || (*p != '\0' && strchr("_.*-", *p) != NULL))) {
        p++;
    }

    byte = encoded(p, end);
    return p > key && (is_letter(*key) || *key == '*') && (byte == ',' || byte == ';' || byte == '=');
}


static size_t
decode_once(unsigned char *to, const unsigned char *from, size_t length)
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


size_t
cmcd_decode(unsigned char *to, const unsigned char *from, size_t length)
{
    length = decode_once(to, from, length);
    return is_encoded_twice(to, length) ? decode_once(to, to, length) : length;
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
    case CMCD_RTP_DISAGREEING:
        return "disagreeing";
    default:
        return NULL;
    }
}
