vcl 4.1;

# Faces the client and paces its socket according to the policy behind it: edge/compute in Fastly's network or in
# Viceroy, or any other runtime of edge/handler.ts. For Varnish 7 on Linux with varnish-modules (vmod tcp). fastly.vcl
# does the same at Fastly. edge/vcl/shims.test.ts and edge/cases.test.ts check that both agree with the TypeScript.
# Only the addresses of the two backends need to be changed.

import std;
import tcp;

backend policy {
    .host = "127.0.0.1";
    .port = "7676";
    # The delay of each request while the policy's host is down; then the origin is requested instead.
    .connect_timeout = 1s;
    # Longer than the policy's timeout of 10 s for the origin, so that its error response arrives here.
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
    # Without the probe, a policy that accepts connections and sends nothing would delay each request by these 15 s.
    # With the probe, the policy becomes sick after two of three failed probes, within 14 s. Then the origin is
    # requested immediately, until the policy has answered two probes.
    .probe = {
        # The policy answers a preflight itself, without the origin.
        .request = "OPTIONS / HTTP/1.1" "Host: policy" "Connection: close";
        .expected_response = 204;
        .interval = 5s;
        .timeout = 4s;
        .window = 3;
        .threshold = 2;
        # The policy counts as healthy at the start, so that the first requests are paced.
        .initial = 3;
    }
}

# The content. Used only while the policy is unreachable.
backend origin {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    # Internal headers are removed from the client's request: a client can ask for a pace only by CMCD.
    unset req.http.X-Sammy-Pace-Kbps;
    unset req.http.X-Sammy-Pace-Reason;
    unset req.http.X-Sammy-Rtp-Kbps;
    unset req.http.X-Sammy-Connection-Pace-Kbps;
    unset req.http.X-Sammy-Connection-Reason;
    unset req.http.X-Sammy-Congestion-Control;
    unset req.http.X-Sammy-Floor-Kbps;
    # Varnish has no autonomous systems. With a vmod that does, set the header to the client's number after this line.
    unset req.http.X-Sammy-Client-As;
    # Varnish answers 503 to an invalid Range; RFC 9110 §14.2 lets a server ignore the header.
    if (req.http.Range !~ "(?i)^bytes=([0-9]+-[0-9]*|-[0-9]+)$") {
        unset req.http.Range;
    }
    if (req.restarts > 0) {
        call ask_origin;
    }
    # Each request has its own pace, so responses of the policy are not cached here. Content is cached behind the
    # policy.
    return (pass);
}

# The policy is unreachable, so the origin gets the request that the policy would have sent, and playback continues
# unpaced. If the content is below a path of the origin, put that path before req.url at the end of this subroutine.
sub ask_origin {
    # Do not send these to the origin: preflights, paths of other origins, and paths that the origin may decode
    # differently.
    if (req.method !~ "^(GET|HEAD)$" ||
        req.url ~ "(?i)^(/via/|[^?]*(%(00|25|2f|5c)|\\|/(\.|%2e){2}(/|;|%3b|\?|$)))") {
        return (synth(503));
    }
    set req.backend_hint = origin;
    unset req.http.CMCD-Request;
    unset req.http.CMCD-Object;
    unset req.http.CMCD-Status;
    unset req.http.CMCD-Session;
    unset req.http.Cookie;
    # Remove this line if the policy forwards Authorization (forward_headers).
    unset req.http.Authorization;
    if (req.url ~ "[?&]CMCD=") {
        set req.url = regsub(regsuball(req.url, "(?<=[?&])CMCD=[^&]*(&|$)", ""), "[?&]$", "");
    }
}

sub vcl_backend_error {
    set beresp.http.Cache-Control = "no-store";
}

# Sets the socket's pace, and leaves the paces for the receipt in headers: X-Sammy-Pace-Kbps is the response's,
# X-Sammy-Connection-Pace-Kbps the socket's.
sub pace_client {
    if (req.proto ~ "^HTTP/2") {
        # The streams of an HTTP/2 connection share its socket, but VCL sees one at a time and cannot add up their
        # paces. The plug-in sends the sum, and the latest response sets the socket's pace to it. Without a sum the
        # connection is not paced, because the pace of audio would slow down video.
        if (resp.http.X-Sammy-Pace-Kbps) {
            set resp.http.X-Sammy-Pace-Reason = "shared-connection";
        }
        if (resp.http.X-Sammy-Connection-Reason) {
            set resp.http.X-Sammy-Pace-Reason = resp.http.X-Sammy-Connection-Reason;
        }
        if (!resp.http.X-Sammy-Connection-Pace-Kbps) {
            call serve_unpaced;
        }
    } else {
        set resp.http.X-Sammy-Connection-Pace-Kbps = resp.http.X-Sammy-Pace-Kbps;
    }
    # A program that ends TLS in front of Varnish sends the client's address by the PROXY protocol. Then the socket
    # here is not the client's: a pace would only slow the data to that program, which sends them on in bursts. The
    # same holds for a Unix socket, which has no address.
    if (resp.http.X-Sammy-Pace-Kbps && ("" + client.ip != "" + remote.ip || "" + remote.ip == "0.0.0.0")) {
        call serve_unpaced;
        set resp.http.X-Sammy-Pace-Reason = "not-client-socket";
    }
    # The minimum is 100 kbit/s, as in edge/local: with a lower pace, TCP would delay the next response by many
    # seconds.
    if (resp.http.X-Sammy-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Pace-Kbps = "100";
        set resp.http.X-Sammy-Pace-Reason = "floor";
    }
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "100";
    }
    # More than 2,097,151 KB/s (17 Gbit/s) exceeds vmod tcp's 32 bits of bytes/s.
    if (std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Pace-Kbps = "17179860";
        set resp.http.X-Sammy-Pace-Reason = "ceiling";
    }
    if (std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "17179860";
    }
    # The pace in KB/s (1,024 bytes), rounded up so that no pace is below the requested one. It cannot be unset, so a
    # response without a pace sets the maximum; otherwise the previous response's pace would stay.
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]+(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Connection-Pace-Kbps =
            (std.integer(real = std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) * 1000.0) + 8191) / 8192;
        tcp.set_socket_pace(std.integer(resp.http.X-Sammy-Connection-Pace-Kbps, 2097151));
        # The socket's pace for the receipt: 1 KB/s is 8.192 kbit/s.
        set resp.http.X-Sammy-Connection-Pace-Kbps = std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) * 8.192;
        set resp.http.X-Sammy-Pace-Kbps =
            (std.integer(real = std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) * 1000.0) + 8191) / 8192;
        set resp.http.X-Sammy-Pace-Kbps = std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) * 8.192;
    } else {
        tcp.set_socket_pace(2097151);
        set resp.http.X-Sammy-Pace-Kbps = "0";
        set resp.http.X-Sammy-Connection-Pace-Kbps = "0";
    }
    if (resp.http.X-Sammy-Congestion-Control ~ "^(cubic|reno|bbr)$") {
        set resp.http.X-Sammy-Congestion-Control =
            tcp.congestion_algorithm(resp.http.X-Sammy-Congestion-Control);
    }
}

# Serves the response unpaced, and drops the congestion control that the policy chose for a paced one.
sub serve_unpaced {
    if (resp.http.X-Sammy-Pace-Kbps) {
        unset resp.http.X-Sammy-Congestion-Control;
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
}

# The receipt (see src/wire/receipt.ts) is added after the origin's values: the hop nearest to the player comes last.
# The only TCP statistic of vmod tcp is the RTT, in whole milliseconds. The receipt of a hop behind this one has more
# statistics, and may come from a cache, so it is renamed, as in edge/headers/inner-receipt.ts.
sub write_receipt {
    std.collect(resp.http.CMSD-Dynamic);
    std.collect(resp.http.Server-Timing);
    set resp.http.Server-Timing = regsuball(resp.http.Server-Timing, "(?i)(^|,[ \t]*)(pace\b|tcp-)", "\1upstream-\2");
    if (resp.http.CMSD-Dynamic) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ", ";
    }
    if (resp.http.Server-Timing != "") {
        set resp.http.Server-Timing = resp.http.Server-Timing + ", ";
    }
    set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + {""dashjs-sammy""};
    set resp.http.Server-Timing = resp.http.Server-Timing + {"pace;desc=""} + resp.http.X-Sammy-Pace-Reason + {"""};
    if (tcp.get_estimated_rtt() > 0.0) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ";rtt=" + std.integer(real = tcp.get_estimated_rtt());
        set resp.http.Server-Timing = resp.http.Server-Timing + ", tcp-rtt;dur=" + tcp.get_estimated_rtt();
    }
    set resp.http.CMSD-Dynamic =
        resp.http.CMSD-Dynamic + ";io.github.dashjs-sammy-pace=" + resp.http.X-Sammy-Pace-Kbps;
    if (resp.http.X-Sammy-Connection-Pace-Kbps != resp.http.X-Sammy-Pace-Kbps) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ";io.github.dashjs-sammy-socket-pace=" +
            resp.http.X-Sammy-Connection-Pace-Kbps;
    }
    set resp.http.Server-Timing = resp.http.Server-Timing + {", tcp-connection;desc=""} + sess.xid + {"""};
}

# A response of the origin: keep its CORS headers, and remove internal headers.
sub without_policy {
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
    unset resp.http.X-Sammy-Floor-Kbps;
    unset resp.http.Set-Cookie;
    set resp.http.X-Sammy-Pace-Reason = "policy-unreachable";
    if (resp.status >= 400) {
        set resp.http.X-Sammy-Pace-Reason = "error-response";
    }
    if (!resp.http.Access-Control-Allow-Origin) {
        set resp.http.Access-Control-Allow-Origin = "*";
    }
    if (resp.http.Access-Control-Expose-Headers) {
        std.collect(resp.http.Access-Control-Expose-Headers);
        set resp.http.Access-Control-Expose-Headers = resp.http.Access-Control-Expose-Headers + ", ";
    }
    set resp.http.Access-Control-Expose-Headers =
        resp.http.Access-Control-Expose-Headers + "CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date";
    if (!resp.http.Timing-Allow-Origin) {
        set resp.http.Timing-Allow-Origin = "*";
    }
}

sub vcl_deliver {
    # An error without a reason is not the policy's, which gives a reason in every response except to a preflight.
    if (req.restarts == 0 && resp.status >= 500 && !resp.http.X-Sammy-Pace-Reason) {
        return (restart);
    }
    if (req.restarts > 0) {
        call without_policy;
    }
    # An ESI fragment, if you use ESI, is part of the response to its page, which has the pace.
    if (req.esi_level == 0) {
        call pace_client;
        # A response without a reason answers a preflight, and gets no receipt.
        if (resp.http.X-Sammy-Pace-Reason) {
            call write_receipt;
        }
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Pace-Reason;
    unset resp.http.X-Sammy-Rtp-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
    unset resp.http.X-Sammy-Floor-Kbps;
}

sub vcl_synth {
    # Varnish's own response to an invalid request, or to one that must not go to the origin. The header lets a player
    # on any page see the 503 and retry.
    tcp.set_socket_pace(2097151);
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Cache-Control = "no-store";
    if (req.method == "OPTIONS" && req.restarts > 0) {
        set resp.status = 204;
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD";
        set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
        # Allow the headers that the browser requests, like edge/cors.ts.
        if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
            set resp.http.Access-Control-Allow-Headers =
                resp.http.Access-Control-Allow-Headers + ", " + req.http.Access-Control-Request-Headers;
        }
    }
}
