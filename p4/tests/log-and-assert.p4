// v1model: log_msg, assert and assume do not change the packet.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        log_msg("seen {}", { hdr.data.d });
        assert(hdr.data.d == 4);
        assume(true);
    }
}

#include "include/main.p4"
