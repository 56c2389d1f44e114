/* The kernel's statistics of a connection. */
#ifndef NGX_HTTP_CMCD_PACE_TCP_H
#define NGX_HTTP_CMCD_PACE_TCP_H

#include <ngx_config.h>
#include <ngx_core.h>

typedef struct {
    uint32_t  rtt;              /* microseconds */
    uint32_t  min_rtt;          /* microseconds; 0 before the first sample */
    uint32_t  cwnd;             /* packets */
    uint32_t  in_flight;        /* packets: unacked - sacked - lost + retrans */
    unsigned  app_limited:1;    /* whether delivery_rate is low because the sender had no data */
    uint64_t  delivery_rate;    /* bytes/s */
    uint64_t  bytes_acked;
    uint64_t  bytes_sent;       /* including retransmissions */
    uint64_t  bytes_retrans;
} ngx_http_cmcd_pace_tcp_info_t;

/* Reads the statistics. Returns NGX_DECLINED if there are none: for a closed socket, or before Linux 4.19. */
ngx_int_t ngx_http_cmcd_pace_tcp_info(ngx_socket_t fd, ngx_http_cmcd_pace_tcp_info_t *info);

#endif
