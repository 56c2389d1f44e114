# For a Fastly VCL service that exists, types miss and pass: what recv has read is for deliver, not for the origin.
unset bereq.http.X-Sammy-Rtp-Kbps;
unset bereq.http.X-Sammy-Sum-Kbps;
