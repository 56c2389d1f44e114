// Values from the control plane are converted to their type: entry data and register values.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<int<16>>(1) numbers;
    register<bool>(1) flags;
    action set(int<8> v, bit<64> w) {
        if (v < 0 && v >> 1 == -2) {
            hdr.data.e = (bit<8>) v;
        }
        hdr.data.a = w[63:32];
    }
    table t {
        key = { hdr.data.d : exact; }
        actions = { set; NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
        int<16> n;
        numbers.read(n, 0);
        if (n == -2) {
            hdr.data.c = 0xaaaa;
        }
        bool b;
        flags.read(b, 0);
        if (b == true) {
            hdr.data.b = 0xbbbbbbbb;
        }
    }
}

#include "include/main.p4"
