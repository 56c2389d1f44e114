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


/* Returns the query as the client sent it, because a rewrite or an internal redirect may have replaced r->args. */
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


/* Returns the part of a query that begins at `p`, without the following ampersand. */
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


/* Decodes the query's CMCD parameters, each followed by a comma, into `to`, unless `to` is NULL. Returns their length.
 */
static size_t
ngx_http_cmcd_pace_query(const ngx_str_t *args, u_char *to)
{
    u_char     *p, *end;
    size_t      offset, length = 0;
    ngx_str_t   part;

    end = args->data + args->len;
    for (p = args->data; p < end; p = part.data + part.len + 1) {
        part = ngx_http_cmcd_pace_part(p, end);
        offset = cmcd_parameter_value(part.data, part.len);
        if (offset == 0) {
            continue;
        }
        if (to == NULL) {
            length += part.len - offset + 1;
            continue;
        }
        length += cmcd_decode(to + length, part.data + offset, part.len - offset);
        to[length++] = ',';
    }

    return length;
}


/* Copies the CMCD headers, in the order of their names and each followed by a comma, to `to`, unless `to` is NULL.
 * Returns their length. */
static size_t
ngx_http_cmcd_pace_headers(ngx_http_request_t *r, u_char *to)
{
    size_t            length = 0;
    ngx_uint_t        field, i;
    const ngx_str_t  *name;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    for (field = 0; field < NGX_HTTP_CMCD_PACE_FIELDS; field++) {
        name = &ngx_http_cmcd_pace_fields[field];

        for (part = &r->headers_in.headers.part; part; part = part->next) {
            header = part->elts;

            for (i = 0; i < part->nelts; i++) {
                if (header[i].value.len == 0 || header[i].key.len != name->len
                    || ngx_strncasecmp(header[i].key.data, name->data, name->len) != 0)
                {
                    continue;
                }
                if (to) {
                    ngx_memcpy(to + length, header[i].value.data, header[i].value.len);
                    to[length + header[i].value.len] = ',';
                }
                length += header[i].value.len + 1;
            }
        }
    }

    return length;
}


ngx_int_t
ngx_http_cmcd_pace_read_rtp(ngx_http_request_t *r, cmcd_rtp_t *rtp)
{
    u_char     *text;
    size_t      headers, query;
    ngx_str_t   args = ngx_http_cmcd_pace_sent_args(r);

    headers = ngx_http_cmcd_pace_headers(r, NULL);
    query = ngx_http_cmcd_pace_query(&args, NULL);

    /* Allow one more byte for the trailing comma. */
    if (headers > CMCD_MAX_LENGTH + 1 || query > CMCD_MAX_LENGTH + 1) {
        ngx_memzero(rtp, sizeof(cmcd_rtp_t));
        rtp->kind = CMCD_RTP_CMCD_TOO_LONG;
        return NGX_OK;
    }

    text = ngx_pnalloc(r->pool, headers + query + 1);
    if (text == NULL) {
        return NGX_ERROR;
    }

    (void) ngx_http_cmcd_pace_headers(r, text);
    *rtp = cmcd_rtp_read(text, headers + ngx_http_cmcd_pace_query(&args, text + headers));
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
