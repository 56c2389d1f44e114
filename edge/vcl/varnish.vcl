vcl 4.1;

# Faces the client and paces its socket as the policy behind it says: edge/compute in Fastly's network or in
# Viceroy, or any other runtime of edge/handler.ts. For Varnish 7 on Linux with varnish-modules (vmod tcp).
# fastly.vcl beside it does the same at Fastly; edge/vcl/shims.test.ts and edge/cases.test.ts check that both agree with
# the TypeScript. Only the addresses of the two backends need to be changed.

import std;
import tcp;

backend policy {
    .host = "127.0.0.1";
    .port = "7676";
    # The time that each request waits for a host that is gone before the origin is asked instead.
    .connect_timeout = 1s;
    # Longer than the 10 s that the policy waits for the origin, so that its answer, which says what is wrong, arrives.
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
    # Without the probe, a policy that accepts connections and sends nothing would delay each request by those 15 s. With
    # it the policy is sick after two of three probes without an answer, within 14 s; then the origin is asked at once,
    # until the policy has answered two probes again.
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

# Where the content is. It is asked only while the policy is out of reach.
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
    # Varnish knows no autonomous systems. With a vmod that does, set the header to the number of the client's after this.
    unset req.http.X-Sammy-Client-As;
    # Varnish answers 503 to a Range that it cannot read; RFC 9110 §14.2 lets a server ignore it.
    if (req.http.Range !~ "(?i)^bytes=([0-9]+-[0-9]*|-[0-9]+)$") {
        unset req.http.Range;
    }
    if (req.restarts > 0) {
        call ask_origin;
    }
    # Each request has a pace of its own, so no answer of the policy is cached here; content is cached behind it.
    return (pass);
}

# The policy is out of reach, so the origin gets the request that the policy would have sent it, and playback goes on
# unpaced. If the content is below a path of the origin, put that path before req.url at the end of this subroutine.
sub ask_origin {
    # Not sent to the origin: preflights, paths of other origins, and paths that the origin might decode to other paths.
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
        # Streams of an HTTP/2 connection share its socket, and VCL sees one at a time, so it cannot add up their paces.
        # The plug-in sends the sum, and the latest response sets the socket's pace to it. Without a sum the connection
        # is not paced, since the pace of audio would slow down video.
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
    # A program that ends TLS in front of Varnish sends the client's address by the PROXY protocol. Then the socket here is
    # not the client's: a pace would only slow the data to that program, which sends them on in bursts.
    # So it is with a Unix socket, which has no address.
    if (resp.http.X-Sammy-Pace-Kbps && ("" + client.ip != "" + remote.ip || "" + remote.ip == "0.0.0.0")) {
        call serve_unpaced;
        set resp.http.X-Sammy-Pace-Reason = "not-client-socket";
    }
    # The least pace is 100 kbit/s, as in edge/local: at less, TCP would not let the next response begin for many seconds.
    if (resp.http.X-Sammy-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Pace-Kbps = "100";
        set resp.http.X-Sammy-Pace-Reason = "floor";
    }
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]{1,2}(\.[0-9]+)?$") {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "100";
    }
    # More than 2,097,151 KB/s, 17 Gbit/s, does not fit into vmod tcp's 32 bits of bytes/s.
    if (std.real(resp.http.X-Sammy-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Pace-Kbps = "17179860";
        set resp.http.X-Sammy-Pace-Reason = "ceiling";
    }
    if (std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) > 17179860.0) {
        set resp.http.X-Sammy-Connection-Pace-Kbps = "17179860";
    }
    # The pace in KB/s (1,024 bytes), rounded up so that no pace is below the requested one. It cannot be unset, so a
    # response without a pace sets the most; otherwise the last response's pace would stay.
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

# The receipt, which src/wire/receipt.ts describes, is added after an origin's values: the hop nearest to the player comes
# last. Of the TCP statistics, vmod tcp has only the RTT, in whole milliseconds. A receipt of a hop behind this one has more
# of them, and a cache may have kept it: it is renamed, as in edge/headers/inner-receipt.ts.
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

# The origin's own answer: what it says of pages stays, and internal headers are removed.
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
    # An error without the policy's reason is not its answer: it gives a reason with every answer except to a preflight.
    if (req.restarts == 0 && resp.status >= 500 && !resp.http.X-Sammy-Pace-Reason) {
        return (restart);
    }
    if (req.restarts > 0) {
        call without_policy;
    }
    # A fragment of ESI, if you use it, is within the response to its page, which has the pace.
    if (req.esi_level == 0) {
        call pace_client;
        # An answer without a reason is a preflight's, and gets no receipt.
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
    # Varnish's own answer to an invalid request, or to one that must not go to the origin. The header lets a player on any
    # page see the 503 and try again.
    tcp.set_socket_pace(2097151);
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Cache-Control = "no-store";
    if (req.method == "OPTIONS" && req.restarts > 0) {
        set resp.status = 204;
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD";
        set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
        # And what the browser asks for besides, as edge/cors.ts does.
        if (req.http.Access-Control-Request-Headers ~ "^[A-Za-z0-9_, -]{1,500}$") {
            set resp.http.Access-Control-Allow-Headers =
                resp.http.Access-Control-Allow-Headers + ", " + req.http.Access-Control-Request-Headers;
        }
    }
}
