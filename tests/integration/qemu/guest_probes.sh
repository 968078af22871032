# SPDX-License-Identifier: MIT
# Runs in the guest (busybox sh): probes that need what the testing machine lacks, on an rt kernel with
# two NUMA nodes (CPUs 0-1 and 2-3) and isolcpus=3. Prints "not ok ..." and ends in 1 on the first
# thing that is wrong.
fail() { echo "not ok $*"; exit 1; }
# Seconds since the boot: which case took how long.
ok() { echo "ok $* ($(cut -d" " -f1 /proc/uptime) s)"; }
has() { echo "$1" | grep -qxF -- "$2" || { echo "$1"; fail "no line '$2'"; }; }
# run WORD...: guest_probes, for as long as no probe here may take.
run() {
	timeout -s KILL 240 guest_probes "$@"
	code=$?
	[ $code -ne 137 ] || echo "guest_probes did not end within 240 s: $*"
	return $code
}
probe() { out=$(run "$@") || { echo "$out"; fail "$*"; }; }

# 20 x 1250 doubles: 49 pages in one block, 25 in each half.
probe numa flat
has "$out" "nodes 2 partitions 2 threads 3"
has "$out" "pages 49 0 unknown 0 verified 1"
has "$out" "sums agree"
for pair in "0 0" "0 1" "1 0" "1 1"; do has "$out" "pair $pair"; done
ok "flat memory lies on the first thread's node, and every pair of nodes is read"
probe numa local
has "$out" "pages 25 25 unknown 0 verified 1"
has "$out" "sums agree"
ok "local partitions lie on their nodes"
probe numa interleave
echo "$out" | grep -qE "^pages 2[45] 2[45] unknown 0 verified 1$" || { echo "$out"; fail "interleave"; }
ok "interleaved memory is spread evenly"
probe numa remote
has "$out" "pages 25 25 unknown 0 verified 1"
has "$out" "sums agree"
ok "remote partitions lie on the other node"

probe wake nanosleep allowed
has "$out" "policy fifo 80"
has "$out" "cpus 1-2"
has "$out" "note CPU 0 is left to the system and not measured"
has "$out" "worker 1 stream wake.cpu1.lateness due 20 balanced 1"
has "$out" "worker 2 stream wake.cpu2.lateness due 20 balanced 1"
ok "FIFO on all allowed CPUs but one"
probe wake timerfd isolated
has "$out" "policy fifo 80"
has "$out" "cpus 3"
ok "the isolated CPU is measured although it is outside the inherited mask"
probe wake deadline isolated
has "$out" "policy deadline 0"
has "$out" "cpus 3"
has "$out" "worker 3 stream wake.cpu3.lateness due 20 balanced 1"
ok "SCHED_DEADLINE bound to an isolated CPU"
out=$(run wake deadline 1) && { echo "$out"; fail "SCHED_DEADLINE on part of a root domain"; }
echo "$out" | grep -q "root domain" || { echo "$out"; fail "the rule is not named"; }
ok "SCHED_DEADLINE on part of a root domain is refused with the rule"

insmod /msr.ko || fail "insmod msr.ko"
probe smi 4
has "$out" "smi msr trusted 1 min 4 max 4"
probe smi 0
has "$out" "smi msr trusted 0 min 0 max 0"
ok "SMIs are counted, and a guest without any is not trusted"

out=$(run hwlat 1 5) && fail "hwlat without tracefs"
mount -t tracefs nodev /sys/kernel/tracing || fail "mount tracefs"
before=$(cd /sys/kernel/tracing; cat hwlat_detector/w* tracing_thresh; ls instances)
probe hwlat 1 5
has "$out" "cpus 0-2"
has "$out" "hwlat threshold 5 gaps some streams equal max right"
[ "$(cd /sys/kernel/tracing; cat hwlat_detector/w* tracing_thresh; ls instances)" = "$before" ] ||
	fail "hwlat left something changed"
ok "hwlat reports gaps and puts everything back"

# A threshold of 1 us: an emulated CPU has gaps all the time, so that every CPU looked at shows some.
probe hwlat 3 1 1,3
has "$out" "cpus 1,3"
has "$out" "seen 1,3"
probe hwlat 1 1 isolated
has "$out" "cpus 3"
has "$out" "seen 3"
out=$(run hwlat 1 5 7) && fail "hwlat on a CPU that is absent"
[ "$(cd /sys/kernel/tracing; cat hwlat_detector/w* tracing_thresh; ls instances)" = "$before" ] ||
	fail "hwlat on some CPUs left something changed"
ok "hwlat looks at the selected CPUs only"

# What the osnoise and timerlat tracers may change, a line each.
settings() {
	(cd /sys/kernel/tracing && for f in tracing_thresh current_tracer osnoise/cpus osnoise/*_us; do
		echo "$f $(cat $f)"
	done; ls instances)
}
before=$(settings)
probe osnoise 1 0-1 0
has "$out" "cpus 0-1"
has "$out" "seen 0-1"
has "$out" "osnoise period 200000 runtime 100000 threshold 50 limit 0"
has "$out" "periods some streams equal figures sane causes some"
echo "$out" | grep -q "^cause 2 'local_timer" || { echo "$out"; fail "no local timer among the causes"; }
[ "$(settings)" = "$before" ] || { settings; fail "osnoise left something changed: $before"; }
ok "osnoise reports periods and causes on the selected CPUs and puts everything back"
probe timerlat 1 1,3 0
has "$out" "cpus 1,3"
has "$out" "timerlat period 20000 limit 0"
for cpu in 1 3; do has "$out" "cpu $cpu irq some thread some figures sane"; done
[ "$(settings)" = "$before" ] || { settings; fail "timerlat left something changed: $before"; }
ok "timerlat reports activations on the selected CPUs and puts everything back"
# An emulated CPU is later than a microsecond all the time.
probe osnoise 200 1 1
echo "$out" | grep -q "^osnoise .* limit 1$" || { echo "$out"; fail "osnoise did not end at its limit"; }
probe timerlat 200 1 1
has "$out" "timerlat period 20000 limit 1"
[ "$(settings)" = "$before" ] || { settings; fail "a tracer at its limit left something changed: $before"; }
ok "osnoise and timerlat end at a limit"

# A container that may have memory of node 1 only.
mount -t cgroup2 none /sys/fs/cgroup || fail "mount cgroup2"
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control || fail "no cpuset controller"
mkdir /sys/fs/cgroup/one && echo 1 >/sys/fs/cgroup/one/cpuset.mems || fail "make a cpuset"
confined() { sh -c 'echo $$ >/sys/fs/cgroup/one/cgroup.procs && exec timeout -s KILL 240 guest_probes "$@"' sh "$@"; }
out=$(confined numa local) || { echo "$out"; fail "numa with memory of one node"; }
echo "$out" | grep -q "^nodes 2 partitions 1 threads" || { echo "$out"; fail "not one partition"; }
has "$out" "pages 0 49 unknown 0 verified 1"
has "$out" "pair 0 1"
has "$out" "pair 1 1"
[ "$(echo "$out" | grep -c '^pair')" = 2 ] || { echo "$out"; fail "pairs with memory that is not allowed"; }
has "$out" "note memory of 1 nodes (0) is not for this process (cpuset.mems): left out"
out=$(confined numa interleave) || { echo "$out"; fail "numa interleaved over one node"; }
has "$out" "pages 0 49 unknown 0 verified 1"
confined numa remote >/dev/null && fail "remote memory where one node is allowed"
ok "a node whose memory is not allowed is left out and named"

sh /bin/guest_host.sh || exit 1
