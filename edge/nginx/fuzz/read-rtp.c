/*
 * Reads CMCD payloads from stdin, and prints the result of cmcd_rtp.c for each. A payload is preceded by its kind ('q'
 * for a query's value, 'h' for a header) and its length in four bytes. Every payload is in an allocation of exactly its
 * length, so that AddressSanitizer reports reads outside of the payload.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmcd_rtp.h"

#define LONGEST (1 << 20)

int
main(void)
{
    int         kind;
    uint32_t    length;

    while ((kind = getchar()) != EOF) {
        cmcd_rtp_t      rtp;
        unsigned char  *text;
        const char     *refusal;

        if (fread(&length, sizeof(length), 1, stdin) != 1 || length > LONGEST) {
            return 1;
        }

        /* malloc(0) may return NULL, so an empty payload gets one byte. Other payloads get no spare byte, which could
         * hide an invalid read. */
        text = malloc(length ? length : 1);
        if (text == NULL || (length && fread(text, length, 1, stdin) != 1)) {
            return 1;
        }

        (void) cmcd_parameter_value(text, length);

        if (length > CMCD_MAX_LENGTH) {
            memset(&rtp, 0, sizeof(rtp));
            rtp.kind = CMCD_RTP_CMCD_TOO_LONG;
            rtp.playback_rate = 1;

        } else if (kind == 'h') {
            rtp = cmcd_rtp_read(text, length);

        } else {
            unsigned char  *decoded = malloc(length ? length : 1);
            size_t          n = cmcd_decode(decoded, text, length);
            unsigned char  *exact = malloc(n ? n : 1);

            memcpy(exact, decoded, n);
            rtp = cmcd_rtp_read(exact, n);
            free(exact);
            free(decoded);
        }

        refusal = cmcd_rtp_refusal(rtp.kind);
        if (refusal) {
            printf("%s", refusal);
        } else {
            printf("%u", rtp.kbps);
        }
        printf(" %u %u %d\n", rtp.bitrate, rtp.playback_rate, rtp.from_plugin);
        free(text);
    }

    return 0;
}
