// v1model before version 20200408 has no PortId_t, so programs may define a type with this name.
#include "include/plain.p4"

typedef bit<9> PortId_t;

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        PortId_t port = sm.ingress_port + 1;
        sm.egress_spec = port;
    }
}

#include "include/main.p4"
