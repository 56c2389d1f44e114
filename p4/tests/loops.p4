// P4_16 §12.8: loops, break and continue.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        bit<32> sum = 0;
        for (bit<8> i = 0; i < 10; i = i + 1) {
            if (i == 3) { continue; }
            if (i == 6) { break; }
            sum = sum + (bit<32>) i;
        }
        hdr.data.a = sum;
        sum = 0;
        for (bit<8> i in 254..255) { sum = sum + (bit<32>) i; }
        hdr.data.b = sum;
        for (bit<8> v in { 1, 2, 3 }) { hdr.data.d = hdr.data.d + v; }
    }
}

#include "include/main.p4"
