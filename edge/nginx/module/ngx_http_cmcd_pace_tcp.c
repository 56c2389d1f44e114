#include "ngx_http_cmcd_pace_tcp.h"

/*
 * Offsets in struct tcp_info of include/uapi/linux/tcp.h, up to and including tcpi_bytes_retrans. The kernel adds
 * fields only at the end. libc's header has an older struct, and cannot be included together with the kernel's header.
 */
#define TCP_INFO_LENGTH         216
#define TCP_INFO_APP_LIMITED    7
#define TCP_INFO_UNACKED        24
#define TCP_INFO_SACKED         28
#define TCP_INFO_LOST           32
#define TCP_INFO_RETRANS        36
#define TCP_INFO_RTT            68
#define TCP_INFO_CWND           80
#define TCP_INFO_BYTES_ACKED    120
#define TCP_INFO_MIN_RTT        148
#define TCP_INFO_DELIVERY_RATE  160
#define TCP_INFO_BYTES_SENT     200
#define TCP_INFO_BYTES_RETRANS  208


static uint32_t
u32(const u_char *struct_, size_t offset)
{
    uint32_t  value;

    ngx_memcpy(&value, struct_ + offset, sizeof(value));
    return value;
}


static uint64_t
u64(const u_char *struct_, size_t offset)
{
    uint64_t  value;

    ngx_memcpy(&value, struct_ + offset, sizeof(value));
    return value;
}


ngx_int_t
ngx_http_cmcd_pace_tcp_info(ngx_socket_t fd, ngx_http_cmcd_pace_tcp_info_t *info)
{
    int64_t    in_flight;
    u_char     raw[TCP_INFO_LENGTH];
    socklen_t  length = sizeof(raw);

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, raw, &length) == -1 || length < sizeof(raw)) {
        return NGX_DECLINED;
    }

    info->rtt = u32(raw, TCP_INFO_RTT);
    info->min_rtt = u32(raw, TCP_INFO_MIN_RTT);
    if (info->min_rtt == 0xffffffff) {
        info->min_rtt = 0;
    }
    info->cwnd = u32(raw, TCP_INFO_CWND);
    in_flight = (int64_t) u32(raw, TCP_INFO_UNACKED) - u32(raw, TCP_INFO_SACKED)
                - u32(raw, TCP_INFO_LOST) + u32(raw, TCP_INFO_RETRANS);
    info->in_flight = in_flight > 0 ? (uint32_t) in_flight : 0;
    /* The bit field is the lowest bit on little-endian machines. Only these are supported, as in edge/local. */
    info->app_limited = raw[TCP_INFO_APP_LIMITED] & 1;
    info->delivery_rate = u64(raw, TCP_INFO_DELIVERY_RATE);
    info->bytes_acked = u64(raw, TCP_INFO_BYTES_ACKED);
    info->bytes_sent = u64(raw, TCP_INFO_BYTES_SENT);
    info->bytes_retrans = u64(raw, TCP_INFO_BYTES_RETRANS);
    return NGX_OK;
}
