# The first process of the virtual machine. Its argument is a folder with these files: `words` has the command's
# arguments and `environment` its variables (NAME=value), each terminated by NUL; `place` has the working directory; and
# `mounts` has pairs of a folder inside and the mounted folder of the host. The command's output goes through pipes to
# the files `stdout` and `stderr` in that folder. The file `clock` gets the machine's time every ten seconds, and
# finally the command's exit status. These are files, not consoles, because reading a console interrupts the machine, at
# a different moment in each run.
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm 2>/dev/null || { mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm; }
ln -sfn /proc/self/fd /dev/fd
mkdir -p /dev/pts /run/netns && mount -t devpts devpts /dev/pts
mount -t tracefs tracefs /sys/kernel/tracing
mkdir -p /dev/net && [ -e /dev/net/tun ] || mknod /dev/net/tun c 10 200
ip link set lo up
ulimit -n 65536
# By default, only the first namespace may use congestion controls other than Reno.
cat /proc/sys/net/ipv4/tcp_available_congestion_control >/proc/sys/net/ipv4/tcp_allowed_congestion_control
exec 0</dev/null 1>/dev/null 2>&1
# Appends its input to a file, and writes it to the host's file immediately instead of within 35 s of the machine's
# time.
to_host() { exec dd of="$1" bs=64K oflag=append,sync conv=notrunc; }
exec 7>>"$1/clock"

mkfifo /run/never
exec 8<>/run/never
beat() { while :; do printf 'time %(%s)T\n' -1 >&7; read -r -t 10 -u 8; done; }
printf 'time %(%s)T\n' -1 >&7
beat & beat=$!

exec 5> >(to_host "$1/stdout"); out=$!
exec 6> >(to_host "$1/stderr"); err=$!
while IFS= read -r -d '' inside && IFS= read -r -d '' outside; do
	mkdir -p "$inside" && mount --bind "$outside" "$inside"
done <"$1/mounts"
mapfile -d '' -t words <"$1/words"
mapfile -d '' -t environment <"$1/environment"
mapfile -d '' -t place <"$1/place"
export "${environment[@]}"
# Files that are named after process ids would conflict with files of the host.
mkdir -p /run/tmp && export TMPDIR=/run/tmp
cd "${place[0]}" && "${words[@]}" >&5 2>&6 7>&- 8>&-
status=$?
exec 5>&- 6>&-
wait "$out" "$err"
kill "$beat"
printf 'time %(%s)T\nstatus %d\n' -1 "$status" >&7
sync
echo o >/proc/sysrq-trigger
sleep 100
