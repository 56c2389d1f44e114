# Include this before your own vcl_recv: reads the pace that a player asks for by CMCD, and removes CMCD, so that it does
# not split the cache. Your own vcl_recv runs afterwards.
import std;
sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Sammy-Rtp-Kbps;
        unset req.http.X-Sammy-Cmcd;
        # Longer CMCD is not read: each step copies it, and workspace ends. Nor is a group repeated: PCRE's stack ends as well.
        if (req.url !~ "^.{4096}" && req.http.CMCD-Object !~ "^.{2048}" && req.http.CMCD-Status !~ "^.{2048}") {
            set req.http.X-Sammy-Cmcd = regsub(req.url, "^(?:.*?[?&]CMCD=([^&]*))?.*$", "\1");
            set req.http.X-Sammy-Cmcd = regsuball(regsuball(req.http.X-Sammy-Cmcd, "(?i)%2c", ","), "(?i)%3d", "=");
            set req.http.X-Sammy-Cmcd = regsuball(regsuball(req.http.X-Sammy-Cmcd, "(?i)%3b", ";"), "(?i)%5c", "\");
            set req.http.X-Sammy-Cmcd = regsuball(regsuball(req.http.X-Sammy-Cmcd, "%28", "("), "%29", ")");
            set req.http.X-Sammy-Cmcd = regsuball(regsuball(req.http.X-Sammy-Cmcd, "%22", {"""}), "%20|\+", "");
            set req.http.X-Sammy-Cmcd = "," + req.http.CMCD-Object + "," + req.http.CMCD-Status + "," + req.http.X-Sammy-Cmcd + ",";
        }
        if (req.url ~ "[?&]CMCD=") {
            set req.url = regsub(regsuball(req.url, "(?<=[?&])CMCD=[^&]*(&|$)", ""), "[?&]$", "");
        }
        unset req.http.CMCD-Request;
        unset req.http.CMCD-Object;
        unset req.http.CMCD-Status;
        unset req.http.CMCD-Session;
        # A name within a quoted string is not a key, and an rtp that is given twice, or not in digits, is ignored.
        set req.http.X-Sammy-Cmcd = regsuball(regsuball(req.http.X-Sammy-Cmcd, "\\.", ""), {""[^"]*""}, "~");
        if (req.http.X-Sammy-Cmcd !~ ",rtp=.*,rtp=" && req.http.X-Sammy-Cmcd ~ ",rtp=0*[1-9][0-9]{0,6}(?:\.0{1,3})?[;,]") {
            set req.http.X-Sammy-Rtp-Kbps = regsub(req.http.X-Sammy-Cmcd, "^.*,rtp=0*([0-9]+).*$", "\1");
            # Other players than the plug-in may ask for less than they need, so they get at least 1.5 times the bitrate.
            set req.http.X-Sammy-Cmcd = regsub(req.http.X-Sammy-Cmcd, "^.*,io\.github\.dashjs-sammy[;,].*$", "");
            set req.http.X-Sammy-Cmcd = regsub(req.http.X-Sammy-Cmcd, "^.*,br=\(?([1-9][0-9]{0,6})(?:\.0{1,3})?[);,].*$", "\1");
            if (std.integer(req.http.X-Sammy-Cmcd, 0) * 3 > std.integer(req.http.X-Sammy-Rtp-Kbps, 0) * 2) {
                set req.http.X-Sammy-Rtp-Kbps = (std.integer(req.http.X-Sammy-Cmcd, 0) * 3 + 1) / 2;
            }
        }
        unset req.http.X-Sammy-Cmcd;
    }
}
sub vcl_backend_fetch {
    unset bereq.http.X-Sammy-Rtp-Kbps;
}
