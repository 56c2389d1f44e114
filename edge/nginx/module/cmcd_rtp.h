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

/* The lowest pace for other players: a multiple of the largest bitrate that they name. edge/policy.ts says why. */
#define CMCD_FOREIGN_BITRATES 3

/* The default of the lowest pace for other players, kbit/s. edge/policy.ts has the same. */
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

/* The reading of a request's CMCD: no rtp, a pace, or the reason of a refusal; and what may raise the pace. */
typedef struct {
    cmcd_rtp_kind_t  kind;
    uint32_t         kbps;            /* the pace, kbit/s, if the kind is CMCD_RTP_PACE */
    uint32_t         bitrate;         /* the largest bitrate of br and tb, kbit/s; 0 without one */
    uint32_t         playback_rate;   /* pr, rounded up; 1 when it is not given */
    int              from_plugin;     /* whether the plug-in made the request */
} cmcd_rtp_t;

/*
 * Reads the members of a request's CMCD, of all its headers and parameters joined by commas. Overwrites the text. Unreadable
 * members are ignored, except an rtp. readCmcd of edge/cmcd.ts has the same rule and the reason.
 */
cmcd_rtp_t cmcd_rtp_read(unsigned char *text, size_t length);

/*
 * The pace for a reading of kind CMCD_RTP_PACE, kbit/s: the requested one, but for a player without the plug-in at least its
 * need. edge/policy.ts has the same rule and the reason.
 */
uint32_t cmcd_safe_pace(const cmcd_rtp_t *rtp, uint32_t foreign_floor);

/*
 * Whether a part of a query, between two ampersands, is the parameter CMCD, its name perhaps percent-encoded.
 * If so, the offset of its value, which is the part's length when it has none; otherwise 0.
 */
size_t cmcd_parameter_value(const unsigned char *part, size_t length);

/*
 * Percent-decodes a query's value into `to`, of `length` bytes, twice if it was encoded twice; invalid encodings stay. Returns
 * the length written.
 */
size_t cmcd_decode(unsigned char *to, const unsigned char *from, size_t length);

/* The text after "refused:" in edge/policy.ts for a refusal; NULL for other kinds. */
const char *cmcd_rtp_refusal(cmcd_rtp_kind_t kind);

#endif
