// P4_16 §6.8.2: default values of the parameters of actions and controls, by position and by name.
#include "include/plain.p4"

control scale(inout bit<8> x, in bit<8> by = 5)(bit<8> more = 2) {
    apply {
        x = x * by + more;
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    scale() plain;
    scale(7) seven;
    action add(inout bit<32> x, in bit<32> y = 3) { x = x + y; }
    action set(bit<8> v = 9, bit<16> w = 0x1234) {
        hdr.data.e = v;
        hdr.data.c = w;
    }
    table t {
        key = { hdr.data.d : exact; }
        actions = { set; }
        default_action = set();
        const entries = {
            7 : set(w = 8);
            17 : set(1);
        }
    }

    apply {
        sm.egress_spec = 1;
        add(hdr.data.a);
        add(y = 1, x = hdr.data.b);
        t.apply();
        plain.apply(hdr.data.d);
        seven.apply(by = 1, x = hdr.data.d);
    }
}

#include "include/main.p4"
