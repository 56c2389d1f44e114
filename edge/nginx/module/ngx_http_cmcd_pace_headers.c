/* The headers of a response: the receipt (src/wire/receipt.ts), and CORS headers that let pages read it (edge/cors.ts). */

#include "ngx_http_cmcd_pace.h"
#include "ngx_http_cmcd_pace_tcp.h"

/* The buffer size for a header's value: enough for all fields with the longest numbers (64-bit numbers have 20 digits).
 */
#define NGX_HTTP_CMCD_PACE_VALUE_LENGTH  640

#define NGX_HTTP_CMCD_PACE_KEY  "io.github.dashjs-sammy-pace"
#define NGX_HTTP_CMCD_PACE_SOCKET_KEY  "io.github.dashjs-sammy-socket-pace"

/* The headers that players send. */
#define NGX_HTTP_CMCD_PACE_OWN_HEADERS  "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range"
/* The maximum number of headers that an application adds. */
#define NGX_HTTP_CMCD_PACE_MOST_FURTHER  16
/* The maximum length of their names. */
#define NGX_HTTP_CMCD_PACE_NAME_LENGTH  64

/* The prefix for the names of another hop's receipt. */
#define NGX_HTTP_CMCD_PACE_UPSTREAM  "upstream-"


static ngx_int_t
ngx_http_cmcd_pace_push(ngx_http_request_t *r, const char *name, const ngx_str_t *value)
{
    ngx_table_elt_t  *header;

    header = ngx_list_push(&r->headers_out.headers);
    if (header == NULL) {
        return NGX_ERROR;
    }

    header->hash = 1;
    header->key.data = (u_char *) name;
    header->key.len = ngx_strlen(name);
    header->value = *value;
    header->lowcase_key = NULL;
#if (nginx_version >= 1023000)
    header->next = NULL;
#endif
    return NGX_OK;
}


/* Returns the first response header with this name; NULL if there is none. */
static ngx_table_elt_t *
ngx_http_cmcd_pace_find_header(ngx_http_request_t *r, const char *name)
{
    size_t            length = ngx_strlen(name);
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    for (part = &r->headers_out.headers.part; part; part = part->next) {
        header = part->elts;
        for (i = 0; i < part->nelts; i++) {
            if (header[i].hash != 0 && header[i].key.len == length
                && ngx_strncasecmp(header[i].key.data, (u_char *) name, length) == 0)
            {
                return &header[i];
            }
        }
    }

    return NULL;
}


static void
ngx_http_cmcd_pace_remove(ngx_http_request_t *r, const char *name)
{
    ngx_table_elt_t  *header;

    while ((header = ngx_http_cmcd_pace_find_header(r, name)) != NULL) {
        header->hash = 0;
    }
}


/* Sets a header, and removes headers with the same name from an origin or add_header. */
static ngx_int_t
ngx_http_cmcd_pace_replace(ngx_http_request_t *r, const char *name, const ngx_str_t *value)
{
    ngx_http_cmcd_pace_remove(r, name);
    return ngx_http_cmcd_pace_push(r, name, value);
}


/* Whether a member of Server-Timing belongs to a receipt: its name is `pace` or begins with `tcp-`. */
static ngx_uint_t
ngx_http_cmcd_pace_is_receipts(const u_char *p, const u_char *end)
{
    if (end - p >= 4 && ngx_strncasecmp((u_char *) p, (u_char *) "tcp-", 4) == 0) {
        return 1;
    }

    return end - p >= 4 && ngx_strncasecmp((u_char *) p, (u_char *) "pace", 4) == 0
           && (end - p == 4 || p[4] == ';' || p[4] == ',' || p[4] == ' ' || p[4] == '\t');
}


/* Copies a Server-Timing header to `to`, with renamed receipts. If `to` is NULL, only returns the new length. */
static size_t
ngx_http_cmcd_pace_rename(const ngx_str_t *value, u_char *to)
{
    size_t         length = value->len;
    ngx_uint_t     begins = 1;
    const u_char  *p, *end = value->data + value->len;

    for (p = value->data; p < end; p++) {
        if (begins && ngx_http_cmcd_pace_is_receipts(p, end)) {
            length += sizeof(NGX_HTTP_CMCD_PACE_UPSTREAM) - 1;
            if (to) {
                to = ngx_cpymem(to, NGX_HTTP_CMCD_PACE_UPSTREAM, sizeof(NGX_HTTP_CMCD_PACE_UPSTREAM) - 1);
            }
        }
        begins = *p == ',' || (begins && (*p == ' ' || *p == '\t'));
        if (to) {
            *to++ = *p;
        }
    }

    return length;
}


/*
 * Renames the receipts of hops behind nginx (edge/headers/inner-receipt.ts), because they may come from a cache. Over
 * HTTP/3, nginx adds no TCP fields of its own, so those of another hop would be taken for nginx's.
 */
static ngx_int_t
ngx_http_cmcd_pace_rename_receipts(ngx_http_request_t *r)
{
    size_t            length;
    u_char           *p;
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    for (part = &r->headers_out.headers.part; part; part = part->next) {
        header = part->elts;
        for (i = 0; i < part->nelts; i++) {
            if (header[i].hash == 0 || header[i].key.len != sizeof("Server-Timing") - 1
                || ngx_strncasecmp(header[i].key.data, (u_char *) "Server-Timing", header[i].key.len) != 0)
            {
                continue;
            }

            length = ngx_http_cmcd_pace_rename(&header[i].value, NULL);
            if (length == header[i].value.len) {
                continue;
            }
            p = ngx_pnalloc(r->pool, length);
            if (p == NULL) {
                return NGX_ERROR;
            }
            (void) ngx_http_cmcd_pace_rename(&header[i].value, p);
            header[i].value.data = p;
            header[i].value.len = length;
        }
    }

    return NGX_OK;
}


/*
 * Allows any page to play the content and read the receipt. If the response already has CORS headers, only the
 * receipt's headers are added: an origin may allow credentials, with which `*` is invalid. Browsers join several lines
 * of Access-Control-Expose-Headers.
 */
ngx_int_t
ngx_http_cmcd_pace_allow_any_page(ngx_http_request_t *r)
{
    static const ngx_str_t  any = ngx_string("*");
    static const ngx_str_t  exposed =
        ngx_string("CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date");

    if (!ngx_http_cmcd_pace_find_header(r, "Access-Control-Allow-Origin")
        && ngx_http_cmcd_pace_push(r, "Access-Control-Allow-Origin", &any) != NGX_OK)
    {
        return NGX_ERROR;
    }
    if (!ngx_http_cmcd_pace_find_header(r, "Timing-Allow-Origin")
        && ngx_http_cmcd_pace_push(r, "Timing-Allow-Origin", &any) != NGX_OK)
    {
        return NGX_ERROR;
    }
    return ngx_http_cmcd_pace_push(r, "Access-Control-Expose-Headers", &exposed);
}


/* Whether a preflight response should add this name: a valid header name (RFC 9110, 5.6.2) that is not one of the
 * player's headers. */
static ngx_uint_t
ngx_http_cmcd_pace_is_further(u_char *name, size_t length)
{
    u_char      *own, *comma, *last;
    ngx_uint_t   i;

    if (length == 0 || length > NGX_HTTP_CMCD_PACE_NAME_LENGTH) {
        return 0;
    }

    for (i = 0; i < length; i++) {
        if (!((name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'z')
              || (name[i] >= 'A' && name[i] <= 'Z') || (name[i] && ngx_strchr("!#$%&'*+.^_`|~-", name[i]))))
        {
            return 0;
        }
    }

    own = (u_char *) NGX_HTTP_CMCD_PACE_OWN_HEADERS;
    for (last = own + sizeof(NGX_HTTP_CMCD_PACE_OWN_HEADERS) - 1; own < last; own = comma + 2) {
        comma = ngx_strlchr(own, last, ',');
        comma = comma ? comma : last;
        if ((size_t) (comma - own) == length && ngx_strncasecmp(own, name, length) == 0) {
            return 0;
        }
    }

    return 1;
}


/* Appends at most `left` names of an Access-Control-Request-Headers header to `p`. Returns the end. */
static u_char *
ngx_http_cmcd_pace_allow_names(u_char *p, const ngx_str_t *asked, ngx_uint_t *left)
{
    u_char  *name, *end, *comma, *last = asked->data + asked->len;

    for (name = asked->data; name < last && *left > 0; name = comma + 1) {
        comma = ngx_strlchr(name, last, ',');
        comma = comma ? comma : last;

        for (end = comma; end > name && (end[-1] == ' ' || end[-1] == '\t'); end--) { /* void */ }
        while (name < end && (*name == ' ' || *name == '\t')) {
            name++;
        }

        if (ngx_http_cmcd_pace_is_further(name, end - name)) {
            *p++ = ',';
            *p++ = ' ';
            p = ngx_cpymem(p, name, end - name);
            (*left)--;
        }
    }

    return p;
}


/* Lists the headers that a page may send: the player's headers, and those that the browser lists in the preflight
 * (edge/cors.ts). */
static ngx_int_t
ngx_http_cmcd_pace_allowed_headers(ngx_http_request_t *r, ngx_str_t *value)
{
    u_char           *p;
    ngx_uint_t        i, left = NGX_HTTP_CMCD_PACE_MOST_FURTHER;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    p = ngx_pnalloc(r->pool, sizeof(NGX_HTTP_CMCD_PACE_OWN_HEADERS) - 1
                             + left * (NGX_HTTP_CMCD_PACE_NAME_LENGTH + 2));
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->data = p;
    p = ngx_cpymem(p, NGX_HTTP_CMCD_PACE_OWN_HEADERS, sizeof(NGX_HTTP_CMCD_PACE_OWN_HEADERS) - 1);

    for (part = &r->headers_in.headers.part; part; part = part->next) {
        header = part->elts;
        for (i = 0; i < part->nelts; i++) {
            if (header[i].key.len == sizeof("Access-Control-Request-Headers") - 1
                && ngx_strncasecmp(header[i].key.data, (u_char *) "Access-Control-Request-Headers",
                                   header[i].key.len) == 0)
            {
                p = ngx_http_cmcd_pace_allow_names(p, &header[i].value, &left);
            }
        }
    }

    value->len = p - value->data;
    return NGX_OK;
}


/*
 * Turns the response into a preflight response, unless it already is a preflight response. Keeps an origin's
 * Access-Control-Allow-Origin, because many origins send this header in each response but do not support preflights.
 */
ngx_int_t
ngx_http_cmcd_pace_answer_preflight(ngx_http_request_t *r)
{
    ngx_str_t   allowed;
    ngx_uint_t  i, named;

    static const ngx_str_t  any = ngx_string("*");
    static const struct {
        const char  *name;
        ngx_str_t    value;
    } headers[] = {
        { "Allow", ngx_string("GET, HEAD, OPTIONS") },
        { "Access-Control-Allow-Methods", ngx_string("GET, HEAD") },
        /* The longest time for which Chromium caches a preflight response, s. */
        { "Access-Control-Max-Age", ngx_string("7200") }
    };

    named = ngx_http_cmcd_pace_find_header(r, "Access-Control-Allow-Origin") != NULL;
    if (named && r->headers_out.status >= 200 && r->headers_out.status < 300
        && ngx_http_cmcd_pace_find_header(r, "Access-Control-Allow-Headers"))
    {
        return NGX_OK;
    }
    if (!named && ngx_http_cmcd_pace_push(r, "Access-Control-Allow-Origin", &any) != NGX_OK) {
        return NGX_ERROR;
    }

    for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        if (ngx_http_cmcd_pace_replace(r, headers[i].name, &headers[i].value) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (ngx_http_cmcd_pace_allowed_headers(r, &allowed) != NGX_OK
        || ngx_http_cmcd_pace_replace(r, "Access-Control-Allow-Headers", &allowed) != NGX_OK)
    {
        return NGX_ERROR;
    }

    r->headers_out.status = NGX_HTTP_NO_CONTENT;
    ngx_str_null(&r->headers_out.status_line);
    ngx_http_clear_content_length(r);
    ngx_http_cmcd_pace_remove(r, "Location");
    ngx_http_cmcd_pace_remove(r, "WWW-Authenticate");
    return NGX_OK;
}


/* Prints a number of thousandths as a decimal without trailing zeros, like JavaScript. */
static u_char *
ngx_http_cmcd_pace_decimal(u_char *p, u_char *last, uint64_t thousandths)
{
    ngx_uint_t  fraction = thousandths % 1000, digits = 3;

    p = ngx_slprintf(p, last, "%uL", thousandths / 1000);
    if (fraction == 0) {
        return p;
    }

    for ( ; fraction % 10 == 0; fraction /= 10) {
        digits--;
    }

    return digits == 3 ? ngx_slprintf(p, last, ".%03ui", fraction)
         : digits == 2 ? ngx_slprintf(p, last, ".%02ui", fraction)
                       : ngx_slprintf(p, last, ".%ui", fraction);
}


static ngx_int_t
ngx_http_cmcd_pace_add_cmsd(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx,
    ngx_http_cmcd_pace_tcp_info_t *info)
{
    u_char      *p, *last;
    ngx_str_t    value;
#if (NGX_HTTP_V3)
    ngx_msec_t   rtt;
#endif

    p = ngx_pnalloc(r->pool, NGX_HTTP_CMCD_PACE_VALUE_LENGTH);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value.data = p;
    last = p + NGX_HTTP_CMCD_PACE_VALUE_LENGTH;

    p = ngx_slprintf(p, last, "\"dashjs-sammy\"");
    if (info && info->delivery_rate > 0) {
        p = ngx_slprintf(p, last, ";etp=%uL", (info->delivery_rate + 62) / NGX_HTTP_CMCD_PACE_BYTES_PER_KBIT);
    }
    if (info) {
        p = ngx_slprintf(p, last, ";rtt=%uD", (info->rtt + 500) / 1000);
    }
#if (NGX_HTTP_V3)
    if (ngx_http_cmcd_pace_is_quic(r) && ngx_http_cmcd_pace_quic_rtt(r, &rtt) == NGX_OK) {
        p = ngx_slprintf(p, last, ";rtt=%M", rtt);
    }
#endif
    p = ngx_slprintf(p, last, ";" NGX_HTTP_CMCD_PACE_KEY "=%ui", ctx->pace);
    if (ctx->socket_pace != ctx->pace) {
        p = ngx_slprintf(p, last, ";" NGX_HTTP_CMCD_PACE_SOCKET_KEY "=%ui", ctx->socket_pace);
    }

    value.len = p - value.data;
    return ngx_http_cmcd_pace_push(r, "CMSD-Dynamic", &value);
}


static ngx_int_t
ngx_http_cmcd_pace_add_timing(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx,
    ngx_http_cmcd_pace_tcp_info_t *info)
{
    u_char            *p, *last, cc[NGX_HTTP_CMCD_PACE_CC_LENGTH];
    ngx_str_t          value, congestion;
    ngx_connection_t  *client = ngx_http_cmcd_pace_client(r);

    p = ngx_pnalloc(r->pool, NGX_HTTP_CMCD_PACE_VALUE_LENGTH);
    if (p == NULL) {
        return NGX_ERROR;
    }

    value.data = p;
    last = p + NGX_HTTP_CMCD_PACE_VALUE_LENGTH;

    p = ngx_slprintf(p, last, "pace;desc=\"%V\"", &ctx->reason);
    if (info) {
        p = ngx_slprintf(p, last, ", tcp-rtt;dur=");
        p = ngx_http_cmcd_pace_decimal(p, last, info->rtt);
        p = ngx_slprintf(p, last, ", tcp-minrtt;dur=");
        p = ngx_http_cmcd_pace_decimal(p, last, info->min_rtt);
        p = ngx_slprintf(p, last, ", tcp-retransmitted;desc=\"%uL\", tcp-sent;desc=\"%uL\", tcp-cwnd;desc=\"%uD\"",
                         info->bytes_retrans, info->bytes_sent, info->cwnd);
        p = ngx_slprintf(p, last, ", tcp-state;desc=\"in_flight_packets=%uD,delivery_kbps=", info->in_flight);
        /* 1 byte/s is 8 thousandths of a kbit/s. */
        p = ngx_http_cmcd_pace_decimal(p, last, info->delivery_rate * 8);
        p = ngx_slprintf(p, last, ",app_limited=%ud\"", (unsigned) info->app_limited);
    }
    if (ngx_http_cmcd_pace_get_congestion(client->fd, cc, &congestion) == NGX_OK) {
        p = ngx_slprintf(p, last, ", tcp-cc;desc=\"%V\"", &congestion);
    }
    p = ngx_slprintf(p, last, ", tcp-connection;desc=\"%P-%uA\"", ngx_pid, client->number);

    value.len = p - value.data;
    return ngx_http_cmcd_pace_push(r, "Server-Timing", &value);
}


/* Adds the receipt after the origin's values of the same headers, because the hop nearest to the player must be last.
 */
ngx_int_t
ngx_http_cmcd_pace_add_receipt(ngx_http_request_t *r, ngx_http_cmcd_pace_ctx_t *ctx)
{
    ngx_http_cmcd_pace_tcp_info_t  info, *known;

    if (ngx_http_cmcd_pace_rename_receipts(r) != NGX_OK) {
        return NGX_ERROR;
    }

    known = ngx_http_cmcd_pace_tcp_info(ngx_http_cmcd_pace_client(r)->fd, &info) == NGX_OK ? &info : NULL;

    if (ngx_http_cmcd_pace_add_cmsd(r, ctx, known) != NGX_OK) {
        return NGX_ERROR;
    }
    return ngx_http_cmcd_pace_add_timing(r, ctx, known);
}
