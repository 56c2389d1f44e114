/*
 * Reads the rtp of a CMCD payload. Does not depend on nginx, so that it can be tested and fuzzed alone. A text is a
 * pointer and a length, and need not end with NUL. No function allocates memory or is recursive.
 */
#ifndef CMCD_RTP_H
#define CMCD_RTP_H

#include <stddef.h>
#include <stdint.h>

/* The longest CMCD that is parsed, in bytes as received. edge/cmcd.ts has the same limit. */
#define CMCD_MAX_LENGTH 8192

/* The largest accepted pace, 100 Gbit/s. src/wire/rtp.ts has the same limit. */
#define CMCD_RTP_MAX_KBPS 100000000

/* The CMCD key in requests of the plug-in. src/wire/rtp.ts defines the same key. */
#define CMCD_PLUGIN_KEY "io.github.dashjs-sammy"

/* The lowest pace for other players, as a multiple of the largest bitrate in their CMCD: see edge/policy.ts. */
#define CMCD_FOREIGN_BITRATES 3

/* The default of the lowest pace for other players, kbit/s. edge/policy.ts has the same default. */
#define CMCD_FOREIGN_FLOOR_KBPS 3000

typedef enum {
    CMCD_RTP_NONE = 0,
    CMCD_RTP_PACE,
    CMCD_RTP_NOT_A_NUMBER,
    CMCD_RTP_NOT_AN_INTEGER,
    CMCD_RTP_NOT_POSITIVE,
    CMCD_RTP_ABSURDLY_LARGE,
    CMCD_RTP_TOO_LONG,
    CMCD_RTP_CMCD_TOO_LONG,
    CMCD_RTP_DISAGREEING
} cmcd_rtp_kind_t;

/* The result of reading a request's CMCD: no rtp, a pace, or the reason of a refusal, and values that may raise the
 * pace. */
typedef struct {
    cmcd_rtp_kind_t  kind;
    uint32_t         kbps;            /* the pace, kbit/s, if the kind is CMCD_RTP_PACE */
    uint32_t         bitrate;         /* the largest bitrate of br and tb, kbit/s; 0 without one */
    uint32_t         playback_rate;   /* pr, rounded up; 1 if missing */
    int              from_plugin;     /* whether the plug-in made the request */
} cmcd_rtp_t;

/*
 * Reads the members of a request's CMCD. `text` has all CMCD headers and parameters, joined by commas, and is
 * overwritten. Unreadable members are ignored, but an unreadable rtp is a refusal; readCmcd of edge/cmcd.ts says why.
 */
cmcd_rtp_t cmcd_rtp_read(unsigned char *text, size_t length);

/*
 * Returns the pace for a reading of kind CMCD_RTP_PACE, kbit/s: the requested pace, or more for a player without the
 * plug-in that requests less than it needs. FOREIGN_BITRATES of edge/policy.ts gives the reason.
 */
uint32_t cmcd_safe_pace(const cmcd_rtp_t *rtp, uint32_t foreign_floor);

/*
 * Returns the offset of the value if a part of a query, between two ampersands, is the parameter CMCD (possibly
 * percent-encoded); otherwise 0. Without a value, the offset is the length of the part.
 */
size_t cmcd_parameter_value(const unsigned char *part, size_t length);

/*
 * Percent-decodes a query's value into `to`, of `length` bytes. Decodes twice if the value was encoded twice. Keeps
 * invalid encodings. Returns the written length.
 */
size_t cmcd_decode(unsigned char *to, const unsigned char *from, size_t length);

/* Returns the text after "refused:" in edge/policy.ts for a refusal; NULL for other kinds. */
const char *cmcd_rtp_refusal(cmcd_rtp_kind_t kind);

#endif
