// P4_16 §16: an invalid header is not emitted, but the payload is.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.data.d == 4) { hdr.data.setInvalid(); }
    }
}

#include "include/main.p4"
