# For an existing Fastly VCL service, type recv: reads the pace that a player requests with CMCD, and removes CMCD, so
# that it does not split the cache. This runs only at the POP that faces the client, because a shield receives the URL
# without CMCD.
declare local var.cmcd STRING;
declare local var.rates STRING;
declare local var.kbps INTEGER;
declare local var.needs INTEGER;
declare local var.other INTEGER;
if (fastly.ff.visits_this_service == 0 && req.restarts == 0) {
  unset req.http.X-Sammy-Rtp-Kbps;
  unset req.http.X-Sammy-Sum-Kbps;
  unset req.http.X-Sammy-Rtp-Reason;
  std.collect(req.http.CMCD-Request);
  std.collect(req.http.CMCD-Object);
  std.collect(req.http.CMCD-Status);
  std.collect(req.http.CMCD-Session);
  # Join the CMCD parameters, whose names may be percent-encoded, and the CMCD headers.
  set var.cmcd = regsuball("&" req.url.qs, {"&(?!(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)=)[^&]*"}, "");
  # Decode a value that is encoded twice.
  if (var.cmcd ~ {"&[^=]*=[A-Za-z*][A-Za-z0-9_.*-]*%25(?:2[Cc]|3[BbDd])"}) {
    set var.cmcd = urldecode(var.cmcd);
  }
  set var.cmcd = "," if(req.http.CMCD-Request, req.http.CMCD-Request, "") "," if(req.http.CMCD-Object, req.http.CMCD-Object, "")
    "," if(req.http.CMCD-Status, req.http.CMCD-Status, "") "," if(req.http.CMCD-Session, req.http.CMCD-Session, "")
    urldecode(regsuball(regsuball(var.cmcd, {"&[^=]*="}, ","), {"\+"}, " ")) ",";
  if (std.strlen(var.cmcd) > 8192) { set var.cmcd = ""; }
  # Replace quoted strings, because commas and names in them are only text. The expressions have no repeated groups, and a
  # repetition before another repetition is possessive. Otherwise, a long text would exhaust PCRE.
  set var.cmcd = regsuball(regsuball(var.cmcd, {"\\."}, "~"), {""[^"]*(?:"|$)"}, "~") ",";
  set var.cmcd = regsuball(regsuball(var.cmcd, {"[ \t]*+,[ \t]*+"}, ","), {"=(?:0++(?=[1-9]))?+([0-9]++)(?:\.0++)?(?=[;,])"}, "=\1");
  # Ignore an rtp that is not an integer, and rtp values that differ.
  if (var.cmcd !~ {",rtp(?:[;,]|=([^;,]*+)(?=[;,]).*,rtp=(?!\1[;,]))"} && var.cmcd ~ {",rtp=([1-9][0-9]{0,6})[;,]"}) {
    set var.kbps = std.atoi(re.group.1);
    set req.http.X-Sammy-Rtp-Reason = "requested";
    # Players without the plug-in request less than they need. Their lowest pace is three times the largest bitrate of
    # br and tb, or 3,000 kbit/s if that is higher, times the playback rate. To serve them unpaced, set var.kbps to 0
    # instead.
    if (var.cmcd !~ {",io\.github\.dashjs-sammy[=;,]"}) {
      set var.rates = regsuball(regsuball(var.cmcd, {",(?![bt][br]=)[^,]*"}, ""), {",[a-z]+="}, ",");
      set var.rates = regsuball(var.rates, {"[,( ]0*+([1-9][0-9]{0,6}+)(?:\.[0-9]++)?(?=[,); ]|$)"}, "#\1#");
      set var.needs = 1000;
      if (var.rates ~ {"#([0-9]+)#(?:[^#]*#([0-9]+)#)?(?:[^#]*#([0-9]+)#)?(?:[^#]*#([0-9]+)#)?"}) {
        set var.other = std.atoi(re.group.1);
        if (var.needs < var.other) { set var.needs = var.other; }
        set var.other = std.atoi(if(re.group.2, re.group.2, "0"));
        if (var.needs < var.other) { set var.needs = var.other; }
        set var.other = std.atoi(if(re.group.3, re.group.3, "0"));
        if (var.needs < var.other) { set var.needs = var.other; }
        set var.other = std.atoi(if(re.group.4, re.group.4, "0"));
        if (var.needs < var.other) { set var.needs = var.other; }
      }
      set var.needs *= 3;
      # The playback rate, rounded up.
      if (var.cmcd ~ {",pr=([1-9][0-9]?)(?:\.[0-9]++)?[;,]"}) {
        set var.other = std.atoi(re.group.1);
        if (var.cmcd ~ {",pr=[1-9][0-9]?\."}) { set var.other += 1; }
        set var.needs *= var.other;
      }
      if (var.kbps < var.needs) {
        set var.kbps = var.needs;
        set req.http.X-Sammy-Rtp-Reason = "foreign-player";
      }
    }
    # The maximum of client.socket.pace, 2,097,151 KB/s, in kbit/s.
    if (var.kbps > 17179860) {
      set var.kbps = 17179860;
      set req.http.X-Sammy-Rtp-Reason = "ceiling";
    }
    if (var.kbps > 0) { set req.http.X-Sammy-Rtp-Kbps = var.kbps; }
    # The sum of the paces of the plug-in's requests in flight, for the socket of an HTTP/2 connection.
    if (var.cmcd !~ {",io\.github\.dashjs-sammy-sum=([^;,]*+)(?=[;,]).*,io\.github\.dashjs-sammy-sum=(?!\1[;,])"} && var.cmcd ~ {",io\.github\.dashjs-sammy-sum=([1-9][0-9]{0,6})[;,]"}) {
      set var.other = std.atoi(re.group.1);
      if (var.other >= var.kbps) {
        set req.http.X-Sammy-Sum-Kbps = re.group.1;
      }
    }
  }
  if (req.url ~ {"[?&](?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=|&|$)"}) {
    set req.url = regsub(regsuball(req.url, {"(?<=[?&])(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=[^&]*)?(?:&|$)"}, ""), {"[?&]$"}, "");
  }
  unset req.http.CMCD-Request;
  unset req.http.CMCD-Object;
  unset req.http.CMCD-Status;
  unset req.http.CMCD-Session;
}
