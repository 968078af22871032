# SPDX-License-Identifier: MIT
# Runs in the guest (busybox sh): the machine layer on a real rt kernel with two NUMA nodes and
# isolcpus=3. Prints "not ok ..." and ends in 1 on the first thing that is wrong.
fail() { echo "not ok $*"; exit 1; }
# Seconds since the boot: which case took how long.
ok() { echo "ok $* ($(cut -d" " -f1 /proc/uptime) s)"; }
# has TEXT LINE: the text has that line
has() { echo "$1" | grep -qxF -- "$2" || { echo "$1"; fail "no line '$2'"; }; }
tracing=/sys/kernel/tracing
state() { echo $(cat $tracing/hwlat_detector/window $tracing/hwlat_detector/width $tracing/tracing_thresh); }
instances() { ls $tracing/instances | wc -l; }

has "$(guest_machine lane)" "lane rt"
ok "the lane is rt"

out=$(guest_machine topology) || { echo "$out"; fail "topology"; }
has "$out" "cpus 4 cores 4 packages 2 nodes 2"
has "$out" "cpu 1 node 0"
has "$out" "cpu 2 node 1"
has "$out" "distance 10 21 21 10"
has "$out" "allowed 0-2"
has "$out" "isolated 3"
has "$out" "bound 3"
ok "two nodes, an isolated CPU outside the inherited mask, binding to it"
has "$out" "memory asked -1 pages 128 128 unknown 0"
has "$out" "memory asked 0 pages 256 0 unknown 0"
has "$out" "memory asked 1 pages 0 256 unknown 0"
ok "memory lies where it was asked for"

out=$(guest_machine smi 5) && fail "SMIs counted without the msr module: $out"
echo "$out" | grep -q "modprobe msr" || fail "no remedy in: $out"
insmod /msr.ko || fail "insmod msr.ko"
out=$(guest_machine smi 5) || { echo "$out"; fail "smi"; }
has "$out" "source msr hypervisor 1"
has "$out" "smi cpu 0 counted 5"
ok "every SMI is counted"

out=$(guest_machine check) && fail "the tracer is there although tracefs is not mounted"
echo "$out" | grep -q "mount -t tracefs" || fail "no remedy in: $out"
grep -q tracefs /proc/mounts && fail "checking has mounted tracefs"
ok "without tracefs the check says so and mounts nothing"
mount -t tracefs nodev $tracing || fail "mount tracefs"
guest_machine check || fail "check with tracefs"

# Without a threshold of one's own the kernel's default holds. A threshold of one's own must move
# neither the file's 0 nor that default, which the kernel keeps out of sight.
before=$(state)
for threshold in 0 3 0; do
	out=$(guest_machine hwlat 1 $threshold) || { echo "$out"; fail "hwlat"; }
	has "$out" "settings 200000 150000 $([ $threshold = 0 ] && echo 10 || echo 3)"
	[ "$(state)" = "$before" ] || fail "left $(state), was $before"
done
ok "the kernel's default threshold is used and kept"

out=$(guest_machine hwlat 20 7) || { echo "$out"; fail "hwlat"; }
has "$out" "settings 200000 150000 7"
echo "$out" | grep -q '^gaps [1-9][0-9]* max-ns [1-9][0-9]* bad 0 .* left-alone 0$' || { echo "$out"; fail "no gaps"; }
echo "$out" | grep -qx "early-stop 1 77" || { echo "$out"; fail "the callback cannot stop the drain"; }
echo "$out" | grep "^gaps"
[ "$(state)" = "$before" ] || fail "left $(state), was $before"
[ "$(instances)" = 0 ] || fail "left $(ls $tracing/instances)"
ok "hwlat reports gaps and puts everything back"

# hold: a run that is in the middle when it is killed.
hold() {
	guest_machine hwlat 600 5 >/tmp/held &
	held=$!
	i=0
	until grep -q settings /tmp/held || [ $i = 100 ]; do usleep 100000; i=$((i + 1)); done
	[ "$(state)" = "200000 150000 5" ] || fail "held: $(state); $(cat /tmp/held)"
	[ "$(instances)" = 1 ] || fail "held: no instance"
}
hold
out=$(guest_machine hwlat 1 0) && fail "two tracers at a time"
echo "$out" | grep -q "$held" || fail "the other run is not named in: $out"
ok "a second run is refused and told who is first"
guest_machine recover | grep -q . && fail "recovered the changes of a live run"
kill -9 $held; { wait $held; } 2>/dev/null
[ "$(state)" = "200000 150000 5" ] || fail "killed: $(state)"
[ "$(cat $tracing/instances/*/current_tracer)" = hwlat ] || fail "the killed run's tracer is not running"
out=$(guest_machine recover) || { echo "$out"; fail "recover"; }
[ "$(state)" = "$before" ] || { echo "$out"; fail "recovered to $(state), was $before"; }
[ "$(instances)" = 0 ] || { echo "$out"; fail "instance not removed"; }
has "$out" "recovered undone $tracing/hwlat_detector/window old 1000000 set 200000"
has "$out" "recovered undone $tracing/hwlat_detector/width old 500000 set 150000"
echo "$out" | grep -q "^recovered undone $tracing/instances/noisefloor-$held " || { echo "$out"; fail "instance not told"; }
[ "$(echo "$out" | wc -l)" = 4 ] || { echo "$out"; fail "not four changes"; }
ok "what a killed run left is undone and told"
guest_machine recover | grep -q . && fail "recovered twice"

hold
kill -9 $held; { wait $held; } 2>/dev/null
echo 777000 >$tracing/hwlat_detector/window
out=$(guest_machine recover) || { echo "$out"; fail "recover"; }
echo "$out" | grep -q "^recovered left-alone $tracing/hwlat_detector/window " || { echo "$out"; fail "not left alone"; }
[ "$(state)" = "777000 500000 0" ] || fail "recovered to $(state)"
[ "$(instances)" = 0 ] || fail "instance not removed"
ok "a value that someone else has changed is left alone"

# The tracer works again after all that: nothing of the killed ones is in its way.
out=$(guest_machine hwlat 1 0) || { echo "$out"; fail "hwlat after recovery"; }
has "$out" "settings 200000 150000 10"
[ "$(state)" = "777000 500000 0" ] || fail "left $(state)"
ok "the tracer can be used again"
echo 40 >$tracing/tracing_thresh
out=$(guest_machine hwlat 1 7) || { echo "$out"; fail "hwlat over a threshold of the user's"; }
has "$out" "settings 200000 150000 7"
[ "$(state)" = "777000 500000 40" ] || fail "left $(state)"
ok "a threshold that the user had set is put back"

if [ -x /bin/guest_fault ]; then
	out=$(guest_fault 2>&1) || { echo "$out"; fail "with failing calls"; }
	[ "$(state)" = "777000 500000 40" ] || fail "left $(state)"
	ok "whatever call fails, nothing is left changed"
fi
