// The control plane accepts suffixes of names and prefers whole parts: 'set' is not 'reset'.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<bit<8>>(1) r;
    register<bit<8>>(1) rr;
    action set(bit<8> v) { hdr.data.e = hdr.data.e + v; }
    action reset() { hdr.data.e = 0; }
    table t {
        key = { hdr.data.d : exact; }
        actions = { reset; set; NoAction; }
    }
    table at {
        key = { hdr.data.d : exact; }
        actions = { NoAction; reset; }
    }
    // The control plane finds the table by a suffix of its name, and its key by the name of the field.
    table my_third {
        key = { hdr.data.a : exact @name("key"); }
        actions = { set; }
    }

    apply {
        sm.egress_spec = 1;
        my_third.apply();
        at.apply();
        t.apply();
        r.read(hdr.data.d, 0);
    }
}

#include "include/main.p4"
