// v1model: hash is base + value mod max.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<16> h;
        hash(h, HashAlgorithm.csum16, 16w0, { hdr.data.a, hdr.data.b }, 32w65536);
        hdr.data.c = h;
        bit<32> k;
        hash(k, HashAlgorithm.identity, 32w100, { hdr.data.d }, 32w3);
        hdr.data.a = k;
        hash(hdr.data.b, HashAlgorithm.xor16, 32w0, { hdr.data.d, hdr.data.e, 16w0xff00 }, 32w0x10000);
        hash(hdr.data.e, HashAlgorithm.crc16, 8w7, { hdr.data.d }, 8w0);
    }
}

#include "include/main.p4"
