# The first process of the virtual machine. Its argument is a folder with the files `words`, the command's, `environment`
# (NAME=value), each of them ended by NUL, `place`, the path of the folder where it runs, and `mounts`, pairs of a folder
# inside and the host's that it is.
# What the command prints goes to the files `stdout` and `stderr` there, through pipes; to `clock` goes the machine's time,
# each ten seconds of it, and at the end the command's exit status. All three are files, and no consoles, since the host
# interrupts the machine whenever it has read from a console: at another moment in each run.
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
# Otherwise only the first namespace may have those that are not Reno's kin.
cat /proc/sys/net/ipv4/tcp_available_congestion_control >/proc/sys/net/ipv4/tcp_allowed_congestion_control
exec 0</dev/null 1>/dev/null 2>&1
# Appends what it reads, and writes it to the host's file at once instead of within 35 s of the machine's time.
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
# Files that are named after processes would meet the host's.
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
