/*
 * The rtp of a CMCD payload. Plain C without nginx, so that it can be tested and fuzzed alone. All text is a
 * pointer and a length: nothing is expected to end with NUL, nothing is allocated, and nothing calls itself.
 */
#ifndef CMCD_RTP_H
#define CMCD_RTP_H

#include <stddef.h>
#include <stdint.h>

/* The longest CMCD that is read, in bytes as received: edge/cmcd.ts has the same. */
#define CMCD_MAX_LENGTH 8192

/* 100 Gbit/s: above it a pace is a mistake. src/wire/rtp.ts has the same. */
#define CMCD_RTP_MAX_KBPS 100000000

/* By which the plug-in tells that it asks itself. src/wire/rtp.ts has the same. */
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

/* What a payload says: no rtp, a pace, or why what it says is refused; and what may raise that pace. */
typedef struct {
    cmcd_rtp_kind_t  kind;
    uint32_t         kbps;          /* of CMCD_RTP_PACE */
    uint32_t         br;            /* kbit/s of the object, 0 where it is not told */
    uint32_t         tb;            /* and of the top of its ladder */
    int              from_plugin;   /* the plug-in itself asks */
} cmcd_rtp_t;

/* How a text's bytes above 127 are to be taken, which matters for what counts as white space. */
typedef enum {
    CMCD_LATIN_1,       /* a header field */
    CMCD_UTF_8          /* a query after percent-decoding */
} cmcd_charset_t;

/* One payload: a structured-field dictionary (RFC 8941, section 3.2) with inner lists and dates. */
cmcd_rtp_t cmcd_rtp_read(const unsigned char *text, size_t length, cmcd_charset_t charset);

/* The reading of the query and that of the headers taken together. */
cmcd_rtp_t cmcd_rtp_agree(cmcd_rtp_t query, cmcd_rtp_t header);

/* One reading and a further one of the same kind of place: refused if either was, or if both have an rtp. */
cmcd_rtp_t cmcd_rtp_only(cmcd_rtp_t first, cmcd_rtp_t second);

/* The object's bitrate, or that of the top of its ladder where only that is told; 0 where neither is. */
uint32_t cmcd_bitrate(const cmcd_rtp_t *rtp);

/*
 * The pace that a reading of kind CMCD_RTP_PACE gets, kbit/s: what it asks for, and from a player that is not the plug-in
 * at least 1.5 bitrates. edge/policy.ts has the same and says why.
 */
uint32_t cmcd_safe_pace(const cmcd_rtp_t *rtp);

/*
 * Whether a part of a query, between two ampersands, is the parameter CMCD, its name perhaps percent-encoded.
 * If so, the offset of its value, which is the part's length when it has none; otherwise 0.
 */
size_t cmcd_parameter_value(const unsigned char *part, size_t length);

/* Percent-decodes a query's value into `to`, which has room for `length`; what is no encoding stays. The length written. */
size_t cmcd_decode(unsigned char *to, const unsigned char *from, size_t length);

/* Of a refusal: the text after "refused:" in edge/policy.ts; NULL for the others. */
const char *cmcd_rtp_refusal(cmcd_rtp_kind_t kind);

#endif
