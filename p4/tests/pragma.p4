// @pragma, the old syntax of annotations, extends to the end of its line.
#include "include/plain.p4"

@pragma brief sets e (and nothing else [really
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    @pragma name "go"
    action set(bit<8> v) { hdr.data.e = v; }
    @pragma hidden
    table t {
        key = { hdr.data.d : exact; }
        actions = { set; NoAction; }
    }

    apply {
        sm.egress_spec = 1;
        t.apply();
    }
}

#include "include/main.p4"
