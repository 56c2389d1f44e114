/*
 * Reads the rtp of a CMCD payload. Plain C without nginx, so that it can be tested and fuzzed alone. A text is a pointer
 * and a length, and need not end with NUL. No function allocates memory or is recursive.
 */
#ifndef CMCD_RTP_H
#define CMCD_RTP_H

#include <stddef.h>
#include <stdint.h>

/* The longest CMCD that is read, in bytes as received: edge/cmcd.ts has the same. */
#define CMCD_MAX_LENGTH 8192

/* 100 Gbit/s: above it a pace is a mistake. src/wire/rtp.ts has the same. */
#define CMCD_RTP_MAX_KBPS 100000000

/* The key by which the plug-in marks its own requests. src/wire/rtp.ts has the same. */
#define CMCD_PLUGIN_KEY "io.github.dashjs-sammy"

typedef enum {
    CMCD_RTP_NONE = 0,
    CMCD_RTP_PACE,
    CMCD_RTP_NOT_A_NUMBER,
    CMCD_RTP_NOT_AN_INTEGER,
    CMCD_RTP_NOT_POSITIVE,
    CMCD_RTP_ABSURDLY_LARGE,
    CMCD_RTP_TOO_LONG,
    CMCD_RTP_CMCD_TOO_LONG,
    CMCD_RTP_MALFORMED,
    CMCD_RTP_REPEATED,
    CMCD_RTP_DISAGREEING
} cmcd_rtp_kind_t;

/* The reading of a payload: no rtp, a pace, or the reason of a refusal; and the bitrates that may raise the pace. */
typedef struct {
    cmcd_rtp_kind_t  kind;
    uint32_t         kbps;          /* the pace, kbit/s, if the kind is CMCD_RTP_PACE */
    uint32_t         br;            /* the object's bitrate, kbit/s; 0 where it is not given */
    uint32_t         tb;            /* the ladder's top bitrate, kbit/s; 0 where it is not given */
    int              from_plugin;   /* whether the plug-in made the request */
} cmcd_rtp_t;

/* The encoding of a text's bytes above 127, which decides which of them are white space. */
typedef enum {
    CMCD_LATIN_1,       /* a header field */
    CMCD_UTF_8          /* a query after percent-decoding */
} cmcd_charset_t;

/* Reads one payload: a structured-field dictionary (RFC 8941, section 3.2) with inner lists and dates. */
cmcd_rtp_t cmcd_rtp_read(const unsigned char *text, size_t length, cmcd_charset_t charset);

/* Combines the reading of the query with that of the headers. */
cmcd_rtp_t cmcd_rtp_agree(cmcd_rtp_t query, cmcd_rtp_t header);

/* Combines two readings of the query, or two of headers: refused if one of them was, or if both have an rtp. */
cmcd_rtp_t cmcd_rtp_only(cmcd_rtp_t first, cmcd_rtp_t second);

/* The object's bitrate, or the ladder's top bitrate where only that is given; 0 without both. */
uint32_t cmcd_bitrate(const cmcd_rtp_t *rtp);

/*
 * The pace for a reading of kind CMCD_RTP_PACE, kbit/s: the requested one, but at least 1.5 bitrates for a player that is
 * not the plug-in. edge/policy.ts has the same and says why.
 */
uint32_t cmcd_safe_pace(const cmcd_rtp_t *rtp);

/*
 * Whether a part of a query, between two ampersands, is the parameter CMCD, its name perhaps percent-encoded.
 * If so, the offset of its value, which is the part's length when it has none; otherwise 0.
 */
size_t cmcd_parameter_value(const unsigned char *part, size_t length);

/* Percent-decodes a query's value into `to`, of `length` bytes; invalid encodings stay. Returns the length written. */
size_t cmcd_decode(unsigned char *to, const unsigned char *from, size_t length);

/* The text after "refused:" in edge/policy.ts for a refusal; NULL for other kinds. */
const char *cmcd_rtp_refusal(cmcd_rtp_kind_t kind);

#endif
