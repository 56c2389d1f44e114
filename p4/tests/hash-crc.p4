// v1model: both CRCs match their published check values.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hash(hdr.data.a, HashAlgorithm.crc32, 32w0, { 72w0x313233343536373839 }, 64w0x100000000);
        hash(hdr.data.c, HashAlgorithm.crc16, 16w0, { 72w0x313233343536373839 }, 32w0x10000);
    }
}

#include "include/main.p4"
