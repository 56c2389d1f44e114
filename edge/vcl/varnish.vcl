vcl 4.1;

# Faces the client and paces its socket as the policy behind it says: edge/compute in Fastly's network or in
# Viceroy, or any other runtime of edge/handler.ts. For Varnish 7 on Linux with varnish-modules (vmod tcp).
# fastly.vcl beside it does the same at Fastly; edge/vcl/shims.test.ts and edge/cases.test.ts hold both to the
# TypeScript. Change the two backends' addresses, and no more.

import std;
import tcp;

backend policy {
    .host = "127.0.0.1";
    .port = "7676";
    # A host that is gone costs each request so much before the origin is asked instead.
    .connect_timeout = 1s;
    # Longer than the policy's own patience with the origin, 10 s: its answer says what is wrong.
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
    # A policy that accepts and says nothing would cost each request those 15 s. It is sick after two probes of three
    # without an answer, so within 14 s, and from then on the origin is asked at once, until it answers two again.
    .probe = {
        # A preflight: the policy answers it by itself, without the origin.
        .request = "OPTIONS / HTTP/1.1" "Host: policy" "Connection: close";
        .expected_response = 204;
        .interval = 5s;
        .timeout = 4s;
        .window = 3;
        .threshold = 2;
        # Healthy from the start: the first requests are paced.
        .initial = 3;
    }
}

# Where the content is. It is asked only while the policy is out of reach.
backend origin {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    # What only edges tell each other: no client sets a pace but by CMCD.
    unset req.http.X-Sammy-Pace-Kbps;
    unset req.http.X-Sammy-Pace-Reason;
    unset req.http.X-Sammy-Rtp-Kbps;
    unset req.http.X-Sammy-Connection-Pace-Kbps;
    unset req.http.X-Sammy-Connection-Reason;
    unset req.http.X-Sammy-Congestion-Control;
    # Varnish answers 503 to a Range that it cannot read; RFC 9110 §14.2 lets a server ignore it.
    if (req.http.Range !~ "(?i)^bytes=([0-9]+-[0-9]*|-[0-9]+)$") {
        unset req.http.Range;
    }
    if (req.restarts > 0) {
        call ask_origin;
    }
    # Each request has a pace of its own, so no answer of the policy is kept; content is cached behind it.
    return (pass);
}

# The policy is out of reach, so the origin gets what the policy would have asked it for, and playback goes on
# unpaced. Where the content is below a path of the origin, that path is to be put before req.url at the end of this.
sub ask_origin {
    # Preflights, what is below another origin, and paths that an origin might decode to others: not without the policy.
    if (req.method !~ "^(GET|HEAD)$" ||
        req.url ~ "(?i)^(/via/|[^?]*(%(00|2f|5c)|\\|/(\.|%2e){2}(/|\?|$)))") {
        return (synth(503));
    }
    set req.backend_hint = origin;
    unset req.http.CMCD-Request;
    unset req.http.CMCD-Object;
    unset req.http.CMCD-Status;
    unset req.http.CMCD-Session;
    unset req.http.Cookie;
    unset req.http.Authorization;
    if (req.url ~ "[?&]CMCD=") {
        set req.url = regsub(regsuball(req.url, "(?<=[?&])CMCD=[^&]*(&|$)", ""), "[?&]$", "");
    }
}

sub vcl_backend_error {
    set beresp.http.Cache-Control = "no-store";
}

# Sets the socket's pace, and leaves in the headers what the receipt tells: X-Sammy-Pace-Kbps is of this response,
# X-Sammy-Connection-Pace-Kbps of the socket.
sub pace_client {
    if (req.proto ~ "^HTTP/2") {
        # Streams of one HTTP/2 connection share its socket, and VCL sees one at a time: it cannot add up what they ask
        # for. The plug-in tells the sum, so the socket gets that from the last response to begin; without it the
        # connection is not paced, since the pace of audio would hold video back.
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
    # Whoever ended TLS before Varnish tells the client's address (PROXY protocol): the socket here is not the client's, and
    # a pace on it would fill the other program's buffers slowly while that empties them in bursts.
    if (resp.http.X-Sammy-Pace-Kbps && "" + client.ip != "" + remote.ip) {
        call serve_unpaced;
        set resp.http.X-Sammy-Pace-Reason = "not-client-socket";
    }
    # Kilobytes (1,024) per second, rounded up, so that no pace is below what was asked. Without one the last
    # response's would go on, since it cannot be unset: 2,097,151 KB/s, 17 Gbit/s, is the most that vmod tcp
    # fits into its 32 bits of bytes/s.
    if (resp.http.X-Sammy-Connection-Pace-Kbps ~ "^[0-9]+(\.[0-9]+)?$" &&
        std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) < 17179000.0) {
        set resp.http.X-Sammy-Connection-Pace-Kbps =
            (std.integer(real = std.real(resp.http.X-Sammy-Connection-Pace-Kbps, 0.0) * 1000.0) + 8191) / 8192;
        tcp.set_socket_pace(std.integer(resp.http.X-Sammy-Connection-Pace-Kbps, 2097151));
        # What the socket got, for the receipt: 1 KB/s is 8.192 kbit/s.
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

# Without a pace, what the policy chose for a paced response is not for this one.
sub serve_unpaced {
    if (resp.http.X-Sammy-Pace-Kbps) {
        unset resp.http.X-Sammy-Congestion-Control;
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
}

# src/wire/receipt.ts describes it. The hop nearest the player comes last. vmod tcp tells the RTT, in whole
# milliseconds, and no more.
sub write_receipt {
    if (resp.http.CMSD-Dynamic) {
        set resp.http.CMSD-Dynamic = resp.http.CMSD-Dynamic + ", ";
    }
    if (resp.http.Server-Timing) {
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

# What the origin itself answered: its own Access-Control-Allow-Origin stays, and what only edges tell each other does not.
sub without_policy {
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
    unset resp.http.Set-Cookie;
    set resp.http.X-Sammy-Pace-Reason = "policy-unreachable";
    if (resp.status >= 400) {
        set resp.http.X-Sammy-Pace-Reason = "error-response";
    }
    if (!resp.http.Access-Control-Allow-Origin) {
        set resp.http.Access-Control-Allow-Origin = "*";
    }
    set resp.http.Access-Control-Expose-Headers = "CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date";
    set resp.http.Timing-Allow-Origin = "*";
}

sub vcl_deliver {
    # The policy gives a reason with every answer but to a preflight: this is not its answer.
    if (req.restarts == 0 && resp.status >= 500 && !resp.http.X-Sammy-Pace-Reason) {
        return (restart);
    }
    if (req.restarts > 0) {
        call without_policy;
    }
    call pace_client;
    # An answer without a reason is not about content: a preflight.
    if (resp.http.X-Sammy-Pace-Reason) {
        call write_receipt;
    }
    unset resp.http.X-Sammy-Pace-Kbps;
    unset resp.http.X-Sammy-Pace-Reason;
    unset resp.http.X-Sammy-Rtp-Kbps;
    unset resp.http.X-Sammy-Connection-Pace-Kbps;
    unset resp.http.X-Sammy-Connection-Reason;
    unset resp.http.X-Sammy-Congestion-Control;
}

sub vcl_synth {
    # Varnish's own answer to what it cannot read, or to what the origin is not asked for. A player on another page must
    # see the 503 to try again.
    tcp.set_socket_pace(2097151);
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Cache-Control = "no-store";
    if (req.method == "OPTIONS" && req.restarts > 0) {
        set resp.status = 204;
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD";
        set resp.http.Access-Control-Allow-Headers = "CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range";
    }
}
