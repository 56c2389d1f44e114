/* Reads a request: its rtp from the query and the CMCD headers, and its query without CMCD. */

#include "ngx_http_cmcd_pace.h"

#define NGX_HTTP_CMCD_PACE_FIELDS  4

/* The CMCD headers (CTA-5004, section 2.1) in lower case, in the same order as in edge/cmcd.ts. */
static const ngx_str_t  ngx_http_cmcd_pace_fields[NGX_HTTP_CMCD_PACE_FIELDS] = {
    ngx_string("cmcd-request"),
    ngx_string("cmcd-object"),
    ngx_string("cmcd-status"),
    ngx_string("cmcd-session")
};


/* The query as the client sent it: a rewrite or an internal redirect may have replaced r->args. */
static ngx_str_t
ngx_http_cmcd_pace_sent_args(ngx_http_request_t *r)
{
    u_char     *p, *end;
    ngx_str_t   args = ngx_null_string;

    p = r->unparsed_uri.data;
    if (p == NULL) {
        return args;
    }

    end = p + r->unparsed_uri.len;
    while (p < end && *p != '?' && *p != '#') {
        p++;
    }

    if (p == end || *p == '#') {
        return args;
    }

    args.data = ++p;
    while (p < end && *p != '#') {
        p++;
    }

    args.len = p - args.data;
    return args;
}


/* The part of a query that begins at `p`, without the ampersand after it. */
static ngx_str_t
ngx_http_cmcd_pace_part(u_char *p, u_char *end)
{
    ngx_str_t  part = { 0, p };

    while (p < end && *p != '&') {
        p++;
    }

    part.len = p - part.data;
    return part;
}


static ngx_int_t
ngx_http_cmcd_pace_read_query(ngx_http_request_t *r, cmcd_rtp_t *rtp)
{
    u_char      *p, *end, *decoded;
    size_t       offset, length;
    ngx_str_t    args, part, value;
    ngx_uint_t   found, too_long;

    args = ngx_http_cmcd_pace_sent_args(r);
    found = 0;
    too_long = 0;
    ngx_str_null(&value);
    ngx_memzero(rtp, sizeof(cmcd_rtp_t));

    end = args.data + args.len;
    for (p = args.data; p < end; p = part.data + part.len + 1) {
        part = ngx_http_cmcd_pace_part(p, end);
        offset = cmcd_parameter_value(part.data, part.len);
        if (offset == 0) {
            continue;
        }
        found++;
        value.data = part.data + offset;
        value.len = part.len - offset;
        too_long |= value.len > CMCD_MAX_LENGTH;
    }

    if (too_long || found > 1) {
        rtp->kind = too_long ? CMCD_RTP_CMCD_TOO_LONG : CMCD_RTP_REPEATED;
        return NGX_OK;
    }

    if (value.len == 0) {
        return NGX_OK;
    }

    decoded = ngx_pnalloc(r->pool, value.len);
    if (decoded == NULL) {
        return NGX_ERROR;
    }

    length = cmcd_decode(decoded, value.data, value.len);
    *rtp = cmcd_rtp_read(decoded, length, CMCD_UTF_8);
    return NGX_OK;
}


/*
 * One header field of a request, its lines joined as RFC 9110 says (section 5.3). NGX_DECLINED when that is
 * longer than `room`, which is lessened by its length.
 */
static ngx_int_t
ngx_http_cmcd_pace_join(ngx_http_request_t *r, const ngx_str_t *name, size_t *room, ngx_str_t *field)
{
    u_char           *p;
    size_t            length = 0;
    ngx_uint_t        i, pass, lines;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    p = NULL;
    ngx_str_null(field);

    for (pass = 0; pass < 2; pass++) {
        lines = 0;

        for (part = &r->headers_in.headers.part; part; part = part->next) {
            header = part->elts;

            for (i = 0; i < part->nelts; i++) {
                if (header[i].key.len != name->len
                    || ngx_strncasecmp(header[i].key.data, name->data, name->len) != 0)
                {
                    continue;
                }
                if (pass == 0) {
                    length += header[i].value.len + (lines++ > 0 ? 2 : 0);
                    continue;
                }
                if (lines++ > 0) {
                    *p++ = ',';
                    *p++ = ' ';
                }
                p = ngx_cpymem(p, header[i].value.data, header[i].value.len);
            }
        }

        if (pass == 1 || length == 0) {
            break;
        }
        if (length > *room) {
            return NGX_DECLINED;
        }

        p = ngx_pnalloc(r->pool, length);
        if (p == NULL) {
            return NGX_ERROR;
        }
        field->data = p;
        field->len = length;
    }

    *room -= length;
    return NGX_OK;
}


static ngx_int_t
ngx_http_cmcd_pace_read_headers(ngx_http_request_t *r, cmcd_rtp_t *rtp)
{
    size_t      room = CMCD_MAX_LENGTH;
    ngx_int_t   rc;
    ngx_str_t   field;
    ngx_uint_t  i;

    ngx_memzero(rtp, sizeof(cmcd_rtp_t));

    for (i = 0; i < NGX_HTTP_CMCD_PACE_FIELDS; i++) {
        rc = ngx_http_cmcd_pace_join(r, &ngx_http_cmcd_pace_fields[i], &room, &field);

        if (rc == NGX_DECLINED) {
            rtp->kind = CMCD_RTP_CMCD_TOO_LONG;
            return NGX_OK;
        }
        if (rc != NGX_OK) {
            return rc;
        }
        if (field.len > 0) {
            *rtp = cmcd_rtp_only(*rtp, cmcd_rtp_read(field.data, field.len, CMCD_LATIN_1));
            /* The comma between two fields counts too. */
            room -= room > 0;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_cmcd_pace_read_rtp(ngx_http_request_t *r, cmcd_rtp_t *rtp)
{
    cmcd_rtp_t  query, header;

    if (ngx_http_cmcd_pace_read_query(r, &query) != NGX_OK
        || ngx_http_cmcd_pace_read_headers(r, &header) != NGX_OK)
    {
        return NGX_ERROR;
    }

    /* The order of the reasons is that of edge/cmcd.ts: too long, a repeated parameter, then errors in the values. */
    if (header.kind == CMCD_RTP_CMCD_TOO_LONG) {
        *rtp = header;
    } else {
        *rtp = cmcd_rtp_agree(query, header);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_cmcd_pace_strip(ngx_pool_t *pool, const ngx_str_t *args, ngx_str_t *stripped)
{
    u_char     *p, *end, *to;
    ngx_str_t   part;

    ngx_str_null(stripped);
    if (args->len == 0) {
        return NGX_OK;
    }

    /* The result is at most as long as `args`. */
    to = ngx_pnalloc(pool, args->len);
    if (to == NULL) {
        return NGX_ERROR;
    }
    stripped->data = to;

    end = args->data + args->len;
    for (p = args->data; p <= end; p = part.data + part.len + 1) {
        part = ngx_http_cmcd_pace_part(p, end);
        if (cmcd_parameter_value(part.data, part.len) > 0) {
            continue;
        }
        if (stripped->len > 0) {
            *to++ = '&';
        }
        to = ngx_cpymem(to, part.data, part.len);
        stripped->len = to - stripped->data;
    }

    return NGX_OK;
}
