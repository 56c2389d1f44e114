# Makes one transfer over a link of 40 Mbit/s and 5 ms between two network namespaces. $1: node, $2: bulk.mjs, $3:
# congestion control.
set -e
ip netns add sender
ip netns add receiver
ip link add outgoing netns sender type veth peer name incoming netns receiver
# Send single packets of the link's size, not the kernel's bursts of 64 kB.
ip -n sender link set outgoing gso_max_segs 1 up
ip -n receiver link set incoming gso_max_segs 1 up
ip -n sender address add 10.9.0.1/24 dev outgoing
ip -n receiver address add 10.9.0.2/24 dev incoming
tc -n sender qdisc add dev outgoing root netem delay 2500us rate 40mbit limit 100
tc -n receiver qdisc add dev incoming root netem delay 2500us limit 1000
ip netns exec sender sh -c "echo $3 > /proc/sys/net/ipv4/tcp_congestion_control"
ip netns exec receiver "$1" "$2" receive 10.9.0.2 5001 &
receiver=$!
sleep 1
ip netns exec sender "$1" "$2" send 10.9.0.2 5001
wait "$receiver"
