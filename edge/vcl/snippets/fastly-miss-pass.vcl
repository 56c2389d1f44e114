# For an existing Fastly VCL service, types miss and pass: removes the recv snippet's headers from requests to the
# origin.
unset bereq.http.X-Sammy-Rtp-Kbps;
unset bereq.http.X-Sammy-Sum-Kbps;
unset bereq.http.X-Sammy-Rtp-Reason;
