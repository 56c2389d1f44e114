// v1model: counters of packets and bytes, and direct counters with one count per entry.
#include "include/plain.p4"

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    counter(4, CounterType.packets_and_bytes) c;
    direct_counter(CounterType.packets) d;
    table t {
        key = { hdr.data.d : exact; }
        actions = { NoAction; }
        counters = d;
    }

    apply {
        sm.egress_spec = 1;
        c.count((bit<32>) hdr.data.d);
        t.apply();
    }
}

#include "include/main.p4"
