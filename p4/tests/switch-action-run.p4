// P4_16 §12.7.1: switch on the action that a table ran.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action one() { hdr.data.e = 1; }
    action two(bit<8> v) { hdr.data.e = v; }
    action three() { hdr.data.e = 3; }
    table t {
        key = { hdr.data.d : exact; }
        actions = { one; two; three; NoAction; }
        default_action = NoAction();
    }

    apply {
        sm.egress_spec = 1;
        switch (t.apply().action_run) {
            one:
            two: { hdr.data.b = 12; }
            three: { hdr.data.b = 3; }
            default: { hdr.data.b = 9; }
        }
    }
}

#include "include/main.p4"
