// P4_16 §7.5, §7.6: typedef makes an alias, type a new type.
#include "include/plain.p4"

type bit<9> port_t;
typedef bit<16> short_t;

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        port_t p = (port_t) 9w5;
        short_t s = 6;
        hdr.data.a = (bit<32>) (bit<9>) p;
        hdr.data.c = s;
        hdr.data.d = p == (port_t) 9w5 ? 8w1 : 8w0;
    }
}

#include "include/main.p4"
