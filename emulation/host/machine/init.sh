# The first process of the virtual machine. Its argument is a folder with the files `words`, the command's, `environment`
# (NAME=value), each of them ended by NUL, and `place`, the path of the folder where it runs.
# What the command prints goes to the first two consoles, through pipes, so that it does not take them for a terminal;
# the third tells the host the machine's time, each ten seconds of it, and at the end the command's exit status.
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
for console in 0 1 2; do stty -F "/dev/tty$console" raw -echo; done
exec 0</dev/null 1>/dev/tty0 2>/dev/tty1 7>/dev/tty2

mkfifo /run/never
exec 8<>/run/never
beat() { while :; do printf 'time %(%s)T\n' -1 >&7; read -r -t 10 -u 8; done; }
printf 'time %(%s)T\n' -1 >&7
beat &

exec 5> >(exec cat >&1); out=$!
exec 6> >(exec cat >&2); err=$!
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
printf 'time %(%s)T\nstatus %d\n' -1 "$status" >&7
sync
echo o >/proc/sysrq-trigger
sleep 100
