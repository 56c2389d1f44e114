# For an existing Fastly VCL service, types miss and pass: keeps the headers of the recv snippet from the origin.
unset bereq.http.X-Sammy-Rtp-Kbps;
unset bereq.http.X-Sammy-Sum-Kbps;
unset bereq.http.X-Sammy-Rtp-Reason;
