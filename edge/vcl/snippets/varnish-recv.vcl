# Include this file before your own vcl_recv, which runs afterwards. It reads the pace that a player requests with CMCD,
# and removes CMCD, so that it does not split the cache.
import std;
# Removes the first bitrate from the list X-Sammy-Rates, and keeps the largest so far in X-Sammy-Needs.
sub sammy_take_rate {
    if (std.integer(regsub(req.http.X-Sammy-Rates, "^[^#]*#([0-9]+)#.*$", "\1"), 0) > std.integer(req.http.X-Sammy-Needs, 0)) {
        set req.http.X-Sammy-Needs = regsub(req.http.X-Sammy-Rates, "^[^#]*#([0-9]+)#.*$", "\1");
    }
    set req.http.X-Sammy-Rates = regsub(req.http.X-Sammy-Rates, "^[^#]*#[0-9]+#", "");
}
sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Sammy-Rtp-Kbps;
        unset req.http.X-Sammy-Rtp-Reason;
        unset req.http.X-Sammy-Cmcd;
        std.collect(req.http.CMCD-Request);
        std.collect(req.http.CMCD-Object);
        std.collect(req.http.CMCD-Status);
        std.collect(req.http.CMCD-Session);
        # Join the CMCD parameters, whose names may be percent-encoded, and the CMCD headers. Skip long ones, because
        # each step copies them into the workspace, and a full request leaves 64 kB of it. PCRE tries at most 10,000
        # alternatives, so no group is repeated, and repetitions are possessive if possible.
        if (req.url !~ "^.{4096}") {
            set req.http.X-Sammy-Cmcd = regsuball(regsub(req.url, "^[^?]*.?", "&"), "&(?!(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)=)[^&]*", "");
            # Decode a value that is encoded twice.
            if (req.http.X-Sammy-Cmcd ~ "&[^=]*=[A-Za-z*][A-Za-z0-9_.*-]*%25(?:2[Cc]|3[BbDd])") {
                set req.http.X-Sammy-Cmcd = regsuball(req.http.X-Sammy-Cmcd, "%25", "%");
            }
            set req.http.X-Sammy-Cmcd = "," + req.http.CMCD-Request + "," + req.http.CMCD-Object + "," + req.http.CMCD-Status +
                "," + req.http.CMCD-Session + regsuball(req.http.X-Sammy-Cmcd, "&[^=]*=", ",") + ",";
            if (req.http.X-Sammy-Cmcd ~ "^.{3600}") {
                unset req.http.X-Sammy-Cmcd;
            }
        }
        if (req.url ~ "[?&](?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=|&|$)") {
            set req.url = regsub(regsuball(req.url, "(?<=[?&])(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=[^&]*)?(?:&|$)", ""), "[?&]$", "");
        }
        unset req.http.CMCD-Request;
        unset req.http.CMCD-Object;
        unset req.http.CMCD-Status;
        unset req.http.CMCD-Session;
        # Replace quoted strings, because commas and names in them are only text. Keep only the needed members.
        set req.http.X-Sammy-Cmcd = regsuball(regsuball(regsuball(regsuball(req.http.X-Sammy-Cmcd, "(?i)%5c", "\"), "%22", {"""}),
            "\\.", "~"), {""[^"]*(?:"|$)"}, "~") + ",";
        if (req.http.X-Sammy-Cmcd ~ "^.{1024}") {
            unset req.http.X-Sammy-Cmcd;
        }
        set req.http.X-Sammy-Cmcd = regsuball(regsuball(regsuball(regsuball(regsuball(req.http.X-Sammy-Cmcd,
            "(?i)%2c", ","), "%20|\+|%09", " "), "(?i)%3d", "="), "(?i)%3b", ";"), "[ \t]*+,[ \t]*+", ",");
        set req.http.X-Sammy-Cmcd = regsuball(regsuball(regsuball(regsuball(req.http.X-Sammy-Cmcd,
            ",(?!(?:rtp|br|tb|pr|io\.github\.dashjs-sammy)[=;,])[^,]*", "") + ",",
            "%28", "("), "%29", ")"), "=(?:0++(?=[1-9]))?+([0-9]++)(?:\.0++)?(?=[;,])", "=\1");
        # Ignore an rtp that is not an integer, and rtp values that differ.
        if (req.http.X-Sammy-Cmcd !~ ",rtp(?:[;,]|=([^;,]*+)(?=[;,]).*,rtp=(?!\1[;,]))" && req.http.X-Sammy-Cmcd ~ ",rtp=[1-9][0-9]{0,6}[;,]") {
            set req.http.X-Sammy-Rtp-Kbps = regsub(req.http.X-Sammy-Cmcd, "^.*,rtp=([0-9]+).*$", "\1");
            set req.http.X-Sammy-Rtp-Reason = "requested";
            # Players without the plug-in request less than they need. Their lowest pace is three times the largest
            # bitrate of br and tb, or 3,000 kbit/s if that is higher, times the playback rate. To serve them unpaced,
            # unset X-Sammy-Rtp-Kbps instead.
            if (req.http.X-Sammy-Cmcd !~ ",io\.github\.dashjs-sammy[=;,]") {
                set req.http.X-Sammy-Rates = regsuball(regsuball(req.http.X-Sammy-Cmcd, ",(?![bt][br]=)[^,]*", ""), ",[a-z]+=", ",");
                set req.http.X-Sammy-Rates = regsuball(req.http.X-Sammy-Rates, "[,( ]0*+([1-9][0-9]{0,6}+)(?:\.[0-9]++)?(?=[,); ]|$)", "#\1#");
                set req.http.X-Sammy-Needs = "1000";
                call sammy_take_rate;
                call sammy_take_rate;
                call sammy_take_rate;
                call sammy_take_rate;
                # The playback rate, rounded up.
                set req.http.X-Sammy-Rates = regsub(regsub(req.http.X-Sammy-Cmcd, "^.*,pr=([0-9]{1,2}(?:\.[0-9]++)?)[;,].*$", "\1"), "^(?:[^0-9]|0).*$", "1");
                set req.http.X-Sammy-Needs = std.integer(req.http.X-Sammy-Needs, 1000) * 3 * std.integer(real = std.real(req.http.X-Sammy-Rates, 1.0) + 0.999);
                if (std.integer(req.http.X-Sammy-Needs, 0) > std.integer(req.http.X-Sammy-Rtp-Kbps, 0)) {
                    set req.http.X-Sammy-Rtp-Kbps = req.http.X-Sammy-Needs;
                    set req.http.X-Sammy-Rtp-Reason = "foreign-player";
                }
            }
        }
        unset req.http.X-Sammy-Cmcd;
        unset req.http.X-Sammy-Rates;
        unset req.http.X-Sammy-Needs;
    }
}
sub vcl_backend_fetch {
    unset bereq.http.X-Sammy-Rtp-Kbps;
    unset bereq.http.X-Sammy-Rtp-Reason;
}
