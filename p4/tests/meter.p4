// v1model: a two-rate meter: red when the peak burst is used up, yellow when the committed burst is used up (RFC 2698).
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    meter(4, MeterType.packets) m;

    apply {
        sm.egress_spec = 1;
        bit<2> color;
        m.execute_meter((bit<32>) hdr.data.d, color);
        hdr.data.e = (bit<8>) color;
    }
}

#include "include/main.p4"
