/*
 * A bottleneck that reports the queue of every packet.
 *
 * Bridges frames by destination address, and routes those that are sent to the switch itself. In egress, each port has
 * a threshold on the depth of its queue and a policy for packets above it: nothing, drop, ECN mark, or drop front.
 * Every packet that reaches egress, even if it is dropped there, generates a postcard: a UDP datagram to a collector
 * that describes the packet and its queue. docs/reference/postcard.md documents all fields.
 *
 * v1model; standard P4_16.
 */
#include <core.p4>
#include <v1model.p4>

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<16> ETHERTYPE_IPV6 = 0x86dd;
const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;

/// Value of standard_metadata.instance_type for a clone made in egress.
const bit<32> EGRESS_CLONE = 2;

const bit<32> PORTS = 512;
/// Histogram buckets per port: a power of two, so that the index is port and bucket concatenated.
const bit<32> BUCKETS = 32;

/// Policies for packets that find more packets than the threshold in their queue.
const bit<2> POLICY_NOTHING = 0;
const bit<2> POLICY_DROP = 1;
const bit<2> POLICY_MARK = 2;
/// Policy that drops departing packets, which are the oldest in the queue, while the queue including the departing
/// packet holds more than the threshold.
const bit<2> POLICY_DROP_FRONT = 3;

/// Values of the ECN field, the two least significant bits of the traffic class (RFC 3168 §5).
const bit<2> ECN_NOT_ECT = 0;
const bit<2> ECN_CE = 3;

const bit<8> POSTCARD_VERSION = 1;
/// The clone session of the collector.
const bit<32> POSTCARD_SESSION = 1;
const bit<16> POSTCARD_BYTES = 88;
/// Bytes of Ethernet, IPv4, UDP and the postcard.
const bit<32> POSTCARD_FRAME = 130;
/// The prefix ::ffff:0:0/96 of IPv4 addresses in IPv6 fields (RFC 4291 §2.5.5.2).
const bit<96> IPV4_MAPPED = 0xffff;

error {
    NotIpv4,
    NotIpv6,
    HeaderLength,
    TotalLength
}

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> type;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<6>  dscp;
    bit<2>  ecn;
    bit<16> total_length;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragment_offset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> checksum;
    bit<32> source;
    bit<32> destination;
}

header ipv4_options_t {
    varbit<320> options;
}

header ipv6_t {
    bit<4>   version;
    bit<6>   dscp;
    bit<2>   ecn;
    bit<20>  flow_label;
    bit<16>  payload_length;
    bit<8>   next_header;
    bit<8>   hop_limit;
    bit<128> source;
    bit<128> destination;
}

header tcp_t {
    bit<16> source_port;
    bit<16> destination_port;
    bit<32> sequence;
    bit<32> acknowledgement;
    bit<4>  data_offset;
    bit<4>  reserved;
    bit<8>  flags;
    bit<16> window;
    bit<16> checksum;
    bit<16> urgent;
}

header udp_t {
    bit<16> source_port;
    bit<16> destination_port;
    bit<16> length;
    bit<16> checksum;
}

header postcard_t {
    bit<8>   version;
    bit<3>   reserved;
    bit<1>   has_ports;
    bit<1>   is_ipv6;
    bit<1>   is_tcp;
    bit<1>   marked;
    bit<1>   dropped;
    bit<16>  switch_id;
    bit<16>  ingress_port;
    bit<16>  egress_port;
    bit<128> source;
    bit<128> destination;
    bit<16>  source_port;
    bit<16>  destination_port;
    bit<8>   protocol;
    bit<8>   tcp_flags;
    bit<16>  ethertype;
    bit<32>  tcp_sequence;
    bit<32>  tcp_acknowledgement;
    bit<16>  payload_length;
    bit<16>  packet_length;
    bit<32>  enqueue_depth;
    bit<32>  dequeue_depth;
    bit<32>  enqueue_timestamp;
    bit<32>  queue_time;
    bit<64>  dequeue_timestamp;
    bit<32>  number;
}

struct headers_t {
    ethernet_t     report_ethernet;
    ipv4_t         report_ipv4;
    udp_t          report_udp;
    postcard_t     postcard;
    ethernet_t     ethernet;
    ipv4_t         ipv4;
    ipv4_options_t ipv4_options;
    ipv6_t         ipv6;
    tcp_t          tcp;
    udp_t          udp;
}

/// Metadata of the original packet; the field list passes it to the clone that becomes its postcard.
struct metadata_t {
    @field_list(1)
    bit<9>  ingress_port;
    @field_list(1)
    bit<9>  egress_port;
    @field_list(1)
    bit<16> packet_length;
    @field_list(1)
    bit<19> enqueue_depth;
    @field_list(1)
    bit<19> dequeue_depth;
    @field_list(1)
    bit<32> enqueue_timestamp;
    @field_list(1)
    bit<32> queue_time;
    @field_list(1)
    bit<48> dequeue_timestamp;
    @field_list(1)
    bit<32> number;
    @field_list(1)
    bit<1>  dropped;
    @field_list(1)
    bit<1>  marked;
    /// TCP or UDP source port; 0 for other packets.
    bit<16> source_port;
}

parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            ETHERTYPE_IPV4: ipv4;
            ETHERTYPE_IPV6: ipv6;
            default: accept;
        }
    }

    state ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4, error.NotIpv4);
        verify(hdr.ipv4.ihl >= 5, error.HeaderLength);
        verify(hdr.ipv4.total_length >= (bit<16>) hdr.ipv4.ihl * 4, error.TotalLength);
        transition select(hdr.ipv4.ihl) {
            5: ipv4_payload;
            default: ipv4_options;
        }
    }

    state ipv4_options {
        packet.extract(hdr.ipv4_options, ((bit<32>) hdr.ipv4.ihl - 5) * 32);
        transition ipv4_payload;
    }

    // Only the first fragment contains the ports.
    state ipv4_payload {
        transition select(hdr.ipv4.fragment_offset, hdr.ipv4.protocol) {
            (0, PROTOCOL_TCP): tcp;
            (0, PROTOCOL_UDP): udp;
            default: accept;
        }
    }

    state ipv6 {
        packet.extract(hdr.ipv6);
        verify(hdr.ipv6.version == 6, error.NotIpv6);
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_TCP: tcp;
            PROTOCOL_UDP: udp;
            default: accept;
        }
    }

    state tcp {
        packet.extract(hdr.tcp);
        verify(hdr.tcp.data_offset >= 5, error.HeaderLength);
        transition accept;
    }

    state udp {
        packet.extract(hdr.udp);
        transition accept;
    }
}

control check_sums(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid() && !hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
        verify_checksum(hdr.ipv4.isValid() && hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination, hdr.ipv4_options.options },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    /// Counts malformed frames and packets per ingress port.
    counter(PORTS, CounterType.packets_and_bytes) malformed;

    action drop() {
        mark_to_drop(standard_metadata);
    }

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }

    action flood(bit<16> group) {
        standard_metadata.mcast_grp = group;
    }

    action into_queue(bit<3> queue) {
        standard_metadata.priority = queue;
    }

    action route() {
    }

    action next_hop(bit<9> port, bit<48> source, bit<48> destination) {
        standard_metadata.egress_spec = port;
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
    }

    /// Maps a destination address to a port. The switch's own address has the action `route`.
    table bridge {
        key = {
            hdr.ethernet.destination : exact;
        }
        actions = {
            forward;
            route;
            @defaultonly NoAction;
        }
        default_action = NoAction();
        size = 1024;
    }

    /// Forwards frames with an unknown or group destination.
    table unknown {
        key = {
            standard_metadata.ingress_port : exact;
        }
        actions = {
            flood;
            forward;
            drop;
        }
        default_action = drop();
        size = 512;
    }

    /// Chooses the queue of a packet at its output port. A packet without an entry uses the first queue.
    table queues {
        key = {
            meta.source_port : exact;
        }
        actions = {
            into_queue;
            @defaultonly NoAction;
        }
        default_action = NoAction();
        size = 1024;
    }

    table ipv4_routes {
        key = {
            hdr.ipv4.destination : lpm;
        }
        actions = {
            next_hop;
            drop;
        }
        default_action = drop();
        size = 1024;
    }

    table ipv6_routes {
        key = {
            hdr.ipv6.destination : lpm;
        }
        actions = {
            next_hop;
            drop;
        }
        default_action = drop();
        size = 1024;
    }

    apply {
        if (standard_metadata.parser_error != error.NoError || standard_metadata.checksum_error == 1) {
            malformed.count((bit<32>) standard_metadata.ingress_port);
            drop();
            exit;
        }
        if (hdr.tcp.isValid()) {
            meta.source_port = hdr.tcp.source_port;
        } else if (hdr.udp.isValid()) {
            meta.source_port = hdr.udp.source_port;
        } else {
            meta.source_port = 0;
        }
        queues.apply();
        switch (bridge.apply().action_run) {
            route: {
                if (hdr.ipv4.isValid() && hdr.ipv4.ttl > 1) {
                    hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
                    ipv4_routes.apply();
                } else if (hdr.ipv6.isValid() && hdr.ipv6.hop_limit > 1) {
                    hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
                    ipv6_routes.apply();
                } else {
                    drop();
                }
            }
            NoAction: {
                unknown.apply();
            }
        }
    }
}

/// Returns the histogram bucket of a queue depth: the number of binary digits of the depth.
/// Bucket 0 counts empty queues, and bucket n counts depths from 2^(n-1) to 2^n - 1.
bit<5> depth_bucket(in bit<19> depth) {
    bit<5> bucket = 0;
    bit<19> rest = depth;
    if (rest >= 0x10000) {
        bucket = bucket + 16;
        rest = rest >> 16;
    }
    if (rest >= 0x100) {
        bucket = bucket + 8;
        rest = rest >> 8;
    }
    if (rest >= 0x10) {
        bucket = bucket + 4;
        rest = rest >> 4;
    }
    if (rest >= 4) {
        bucket = bucket + 2;
        rest = rest >> 2;
    }
    if (rest >= 2) {
        bucket = bucket + 1;
        rest = rest >> 1;
    }
    return bucket + (bit<5>) rest[0:0];
}

/// Turns the clone of a packet into its postcard.
control make_postcard(inout headers_t hdr, inout metadata_t meta) {
    action to_collector(bit<16> switch_id, bit<48> source_mac, bit<48> destination_mac, bit<32> source,
                        bit<32> destination, bit<16> port) {
        hdr.report_ethernet = { destination_mac, source_mac, ETHERTYPE_IPV4 };
        hdr.report_ipv4 = {
            version = 4,
            ihl = 5,
            dscp = 0,
            ecn = ECN_NOT_ECT,
            total_length = 28 + POSTCARD_BYTES,
            identification = 0,
            flags = 2,
            fragment_offset = 0,
            ttl = 64,
            protocol = PROTOCOL_UDP,
            checksum = 0,
            source = source,
            destination = destination
        };
        hdr.report_udp = { port, port, 8 + POSTCARD_BYTES, 0 };
        hdr.postcard.switch_id = switch_id;
    }

    /// The default action sets the destination of postcards.
    table collector {
        actions = {
            to_collector;
            NoAction;
        }
        default_action = NoAction();
    }

    apply {
        hdr.postcard.setValid();
        hdr.postcard.version = POSTCARD_VERSION;
        hdr.postcard.reserved = 0;
        hdr.postcard.switch_id = 0;
        hdr.postcard.dropped = meta.dropped;
        hdr.postcard.marked = meta.marked;
        hdr.postcard.ingress_port = (bit<16>) meta.ingress_port;
        hdr.postcard.egress_port = (bit<16>) meta.egress_port;
        hdr.postcard.packet_length = meta.packet_length;
        hdr.postcard.enqueue_depth = (bit<32>) meta.enqueue_depth;
        hdr.postcard.dequeue_depth = (bit<32>) meta.dequeue_depth;
        hdr.postcard.enqueue_timestamp = meta.enqueue_timestamp;
        hdr.postcard.queue_time = meta.queue_time;
        hdr.postcard.dequeue_timestamp = (bit<64>) meta.dequeue_timestamp;
        hdr.postcard.number = meta.number;

        // In a postcard, the fields of headers that the packet lacks are 0.
        hdr.postcard.ethertype = hdr.ethernet.type;
        hdr.postcard.is_ipv6 = 0;
        hdr.postcard.is_tcp = 0;
        hdr.postcard.has_ports = 0;
        hdr.postcard.source = 0;
        hdr.postcard.destination = 0;
        hdr.postcard.protocol = 0;
        hdr.postcard.source_port = 0;
        hdr.postcard.destination_port = 0;
        hdr.postcard.tcp_flags = 0;
        hdr.postcard.tcp_sequence = 0;
        hdr.postcard.tcp_acknowledgement = 0;
        hdr.postcard.payload_length = 0;
        if (hdr.ipv4.isValid()) {
            hdr.postcard.source = IPV4_MAPPED ++ hdr.ipv4.source;
            hdr.postcard.destination = IPV4_MAPPED ++ hdr.ipv4.destination;
            hdr.postcard.protocol = hdr.ipv4.protocol;
            hdr.postcard.payload_length = hdr.ipv4.total_length - (bit<16>) hdr.ipv4.ihl * 4;
        } else if (hdr.ipv6.isValid()) {
            hdr.postcard.is_ipv6 = 1;
            hdr.postcard.source = hdr.ipv6.source;
            hdr.postcard.destination = hdr.ipv6.destination;
            hdr.postcard.protocol = hdr.ipv6.next_header;
            hdr.postcard.payload_length = hdr.ipv6.payload_length;
        }
        if (hdr.tcp.isValid()) {
            hdr.postcard.is_tcp = 1;
            hdr.postcard.has_ports = 1;
            hdr.postcard.source_port = hdr.tcp.source_port;
            hdr.postcard.destination_port = hdr.tcp.destination_port;
            hdr.postcard.tcp_flags = hdr.tcp.flags;
            hdr.postcard.tcp_sequence = hdr.tcp.sequence;
            hdr.postcard.tcp_acknowledgement = hdr.tcp.acknowledgement;
            hdr.postcard.payload_length = hdr.postcard.payload_length |-| (bit<16>) hdr.tcp.data_offset * 4;
        } else if (hdr.udp.isValid()) {
            hdr.postcard.has_ports = 1;
            hdr.postcard.source_port = hdr.udp.source_port;
            hdr.postcard.destination_port = hdr.udp.destination_port;
            hdr.postcard.payload_length = hdr.postcard.payload_length |-| 8;
        }

        collector.apply();
        hdr.ethernet.setInvalid();
        hdr.ipv4.setInvalid();
        hdr.ipv4_options.setInvalid();
        hdr.ipv6.setInvalid();
        hdr.tcp.setInvalid();
        hdr.udp.setInvalid();
        truncate(POSTCARD_FRAME);
    }
}

control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    /// The depth of each port's queue, in packets, above which the port's policy acts.
    register<bit<19>>(PORTS) threshold;
    register<bit<2>>(PORTS) policy;
    /// Number of packets by the queue depth at their arrival, in BUCKETS counts per port.
    register<bit<32>>(PORTS * BUCKETS) depth_histogram;
    /// Number of postcards sent, so that the collector can detect losses.
    register<bit<32>>(1) postcards;
    counter(PORTS, CounterType.packets_and_bytes) sent;
    counter(PORTS, CounterType.packets_and_bytes) dropped;
    counter(PORTS, CounterType.packets_and_bytes) marked;

    make_postcard() card;

    apply {
        if (standard_metadata.instance_type == EGRESS_CLONE) {
            card.apply(hdr, meta);
            exit;
        }
        bit<32> port = (bit<32>) standard_metadata.egress_port;

        bit<32> bucket = port * BUCKETS + (bit<32>) depth_bucket(standard_metadata.enq_qdepth);
        bit<32> seen;
        depth_histogram.read(seen, bucket);
        depth_histogram.write(bucket, seen + 1);

        bit<19> limit;
        bit<2> above;
        threshold.read(limit, port);
        policy.read(above, port);
        if (above == POLICY_DROP_FRONT) {
            // deq_qdepth excludes the packet itself.
            if (standard_metadata.deq_qdepth >= limit) {
                meta.dropped = 1;
            }
        } else if (standard_metadata.enq_qdepth > limit) {
            if (above == POLICY_DROP) {
                meta.dropped = 1;
            } else if (above == POLICY_MARK) {
                if (hdr.ipv4.isValid() && hdr.ipv4.ecn != ECN_NOT_ECT) {
                    hdr.ipv4.ecn = ECN_CE;
                    meta.marked = 1;
                } else if (hdr.ipv6.isValid() && hdr.ipv6.ecn != ECN_NOT_ECT) {
                    hdr.ipv6.ecn = ECN_CE;
                    meta.marked = 1;
                }
            }
        }

        bit<32> number;
        postcards.read(number, 0);
        postcards.write(0, number + 1);
        meta.number = number;
        meta.ingress_port = standard_metadata.ingress_port;
        meta.egress_port = standard_metadata.egress_port;
        meta.packet_length = (bit<16>) standard_metadata.packet_length;
        meta.enqueue_depth = standard_metadata.enq_qdepth;
        meta.dequeue_depth = standard_metadata.deq_qdepth;
        meta.enqueue_timestamp = standard_metadata.enq_timestamp;
        meta.queue_time = standard_metadata.deq_timedelta;
        meta.dequeue_timestamp = standard_metadata.egress_global_timestamp;
        clone_preserving_field_list(CloneType.E2E, POSTCARD_SESSION, 1);

        if (meta.dropped == 1) {
            dropped.count(port);
            mark_to_drop(standard_metadata);
        } else {
            sent.count(port);
            if (meta.marked == 1) {
                marked.count(port);
            }
        }
    }
}

control compute_sums(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && !hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4_options.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_length,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination, hdr.ipv4_options.options },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
        update_checksum(hdr.report_ipv4.isValid(),
            { hdr.report_ipv4.version, hdr.report_ipv4.ihl, hdr.report_ipv4.dscp, hdr.report_ipv4.ecn,
              hdr.report_ipv4.total_length, hdr.report_ipv4.identification, hdr.report_ipv4.flags,
              hdr.report_ipv4.fragment_offset, hdr.report_ipv4.ttl, hdr.report_ipv4.protocol,
              hdr.report_ipv4.source, hdr.report_ipv4.destination },
            hdr.report_ipv4.checksum, HashAlgorithm.csum16);
    }
}

control deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.report_ethernet);
        packet.emit(hdr.report_ipv4);
        packet.emit(hdr.report_udp);
        packet.emit(hdr.postcard);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv4_options);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.tcp);
        packet.emit(hdr.udp);
    }
}

V1Switch(parse(), check_sums(), ingress(), egress(), compute_sums(), deparse()) main;
