# SPDX-License-Identifier: MIT
# Runs in the guest (busybox sh) after guest_probes.sh: the program itself, with the tracer there is. Needs
# tracefs mounted and the msr module. Prints "not ok ..." and ends in 1 on the first thing that is wrong.
fail() { echo "not ok $*"; exit 1; }
# Seconds since the boot: which case took how long.
ok() { echo "ok $* ($(cut -d" " -f1 /proc/uptime) s)"; }
tracing=/sys/kernel/tracing
# Whatever is waited for: long enough for any machine.
LIMIT_S=180
up() { cut -d. -f1 /proc/uptime; }
# nf WORD...: the program, for as long as nothing here may take.
nf() {
	timeout -s KILL $LIMIT_S noisefloor "$@"
	nf_code=$?
	[ $nf_code -ne 137 ] || echo "noisefloor did not end within $LIMIT_S s: $*" >&2
	return $nf_code
}
# ends WHEN: waits for the end of the run in $pid; its exit status is in $code.
ends() {
	deadline=$(($(up) + LIMIT_S))
	while [ -e /proc/$pid/status ] && ! grep -q '^State:.Z' /proc/$pid/status; do
		[ "$(up)" -lt $deadline ] || { cat out err; fail "$1: did not end within $LIMIT_S s"; }
		usleep 100000
	done
	{ wait $pid; } 2>/dev/null
	code=$?
}
# until_tracing CONDITION RUN: waits until the tracer of the run in $pid is at work.
until_tracing() {
	deadline=$(($(up) + LIMIT_S))
	until eval "$1"; do
		kill -0 $pid 2>/dev/null || { cat out err; fail "ended before its tracer was at work: $2"; }
		[ "$(up)" -lt $deadline ] || { cat out err; fail "no tracer within $LIMIT_S s: $2"; }
		usleep 100000
	done
}
cd /tmp || exit 1
# Everything that hwlat may change, a line each.
state() {
	for f in hwlat_detector/window hwlat_detector/width tracing_thresh current_tracer; do
		echo "$f $(cat $tracing/$f)"
	done
	echo "instances $(ls $tracing/instances)"
}
# as_before WHEN: the tracer is as it was, and nothing waits in the journal.
as_before() {
	[ "$(state)" = "$before" ] || { state; fail "$1: the tracer is not as before: $before"; }
	ls /run/noisefloor | grep entry && fail "$1: entries left in the journal"
	return 0
}
# is FILE TEXT: the record in the only run folder below FILE has that text.
is() { grep -qF -- "$2" "$1"/*/record.json || { cat "$1"/*/record.json; fail "no $2 in $1"; }; }
# start THRESHOLD WORD...: a run of noisefloor in $pid, its tracer running; standard error is in err.
start() {
	threshold=$1
	shift
	noisefloor "$@" >out 2>err &
	pid=$!
	until_tracing '[ "$(cat $tracing/instances/*/current_tracer 2>/dev/null)" = hwlat ] &&
		[ "$(cat $tracing/tracing_thresh)" = "$threshold" ]' "$*"
}
long="hwlat -d 10m --window 200ms --width 150ms --threshold 7us"
host="--cpus 3 --smi-samples 1 --smi-duration 20ms --numa-samples 1 --noise-duration 50ms --wake-duration 50ms
	--channels 10 --samples 100"
before=$(state)

out=$(nf host --expect-lane generic 2>&1); code=$?
[ $code = 3 ] && [ "$(echo "$out" | wc -l)" = 1 ] || fail "expecting another lane: $code: $out"
[ ! -e runs ] || fail "expecting another lane: something was measured"
ok "host refuses another lane than the expected one in one line"

out=$(NOISEFLOOR_RUN_DIR=/proc/none nf hwlat -d 100ms 2>&1); code=$?
[ $code = 3 ] && [ "$(echo "$out" | wc -l)" = 1 ] || fail "hwlat without a journal: $code: $out"
echo "$out" | grep -q "needs a journal to undo them: .*/proc/none" || fail "the reason is not in: $out"
as_before "no journal"
ok "hwlat without a journal changes nothing and says why in one line"

# ended SIGNAL CODE: the run in $pid, whose folder is below SIGNAL.
ended() {
	[ "$(state)" != "$before" ] || fail "$1: nothing was set"
	kill -"$1" $pid
	ends "$1"
	[ $code = "$2" ] || { cat err; fail "$1: exit $code"; }
	as_before "$1"
	is "$1" '"state": "partial"'
	is "$1" "\"stopped_by\": \"SIG$1\""
	nf evidence check "$1" >out; code=$?
	[ $code = 3 ] || { cat out; fail "$1: evidence check $code"; }
}
# shellcheck disable=SC2086 # the command lines are lists
{
	start 7 --runs INT $long
	ended INT 130
	start 10 --runs TERM host $host --hwlat-duration 10m
	ended TERM 143
}
ok "signals end the hwlat step, alone and in host, with a partial record and everything put back"

# kill_it: SIGKILL to the run in $pid.
kill_it() {
	kill -9 $pid; ends killed
	[ "$(state)" != "$before" ] || fail "killed: nothing was left changed"
}
# told LINES NAME TEXT [NAME TEXT]...: err has LINES lines, one that says TEXT of each NAME.
told() {
	[ "$(wc -l <err)" = "$1" ] || { cat err; fail "not $1 lines"; }
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		instances/*) said="$2 the tracing instance $tracing/$1 that process $pid left" ;;
		*) said="$tracing/$1: $2 (process $pid was killed; " ;;
		esac
		grep -qF "$said" err || { cat err; fail "not told: $1 $2"; }
		shift 2
	done
}
# shellcheck disable=SC2086
start 7 --runs killed $long
kill_it
echo 777000 >$tracing/hwlat_detector/window
nf --quiet --runs next hwlat -d 100ms 2>err || { cat err; fail "hwlat after a kill: $?"; }
told 4 hwlat_detector/window "left alone, it was changed since" hwlat_detector/width "put back" \
	tracing_thresh "put back" instances/noisefloor-$pid removed
[ "$(cat $tracing/hwlat_detector/window)" = 777000 ] || fail "somebody else's value was changed"
echo 1000000 >$tracing/hwlat_detector/window
as_before "left alone"
ok "hwlat says what it put back of a killed run, and what it left alone because somebody else had changed it"

# shellcheck disable=SC2086
start 10 --runs killed host $host --hwlat-duration 10m
kill_it
# shellcheck disable=SC2086
nf --quiet --runs whole host --expect-lane rt $host --hwlat-duration 100ms 2>err; code=$?
[ $code = 0 ] || [ $code = 1 ] || { cat err; fail "host: exit $code"; } # times mean nothing here
told 1 instances/noisefloor-$pid removed
as_before "killed host"
ok "host says what it put back of a killed host"
is whole '"lane": "rt"'
is whole '"expected_lane": "rt"'
for step in clock smi hwlat fwq wake numa; do is whole "\"name\": \"$step\""; done
grep -qE '"result": "(blocked|skipped)"' whole/*/record.json && fail "a step did not run"
nf evidence check whole >out || { cat out; fail "evidence check $?"; }
ok "a whole run of host on the rt lane: every step, and its evidence is complete"

# The tracers that are no steps of host.
others() {
	for f in tracing_thresh current_tracer osnoise/cpus osnoise/*_us; do
		[ -f "$tracing/$f" ] && echo "$f $(cat "$tracing/$f")"
	done
	echo "instances $(ls $tracing/instances)"
}
cd $tracing && others >/tmp/others && cd /tmp || exit 1
unchanged() {
	(cd $tracing && others) >/tmp/now
	cmp -s /tmp/now /tmp/others || { cat /tmp/now; fail "$1: not as before: $(cat /tmp/others)"; }
	ls /run/noisefloor | grep entry && fail "$1: entries left in the journal"
	return 0
}
# begin TRACER WORD...: a run in $pid whose tracer records.
begin() {
	wanted=$1
	noisefloor "$@" >out 2>err &
	pid=$!
	until_tracing '[ "$(cat $tracing/instances/*/current_tracer 2>/dev/null)" = "$wanted" ] &&
		[ "$(cat $tracing/instances/*/tracing_on)" = 1 ]' "$*"
}
# The run after the killed one is the one that is looked at. Each costs some seconds here.
for tracer in osnoise timerlat; do
	opts="-c 1-2 --period 20ms"
	[ $tracer = osnoise ] && opts="-c 1-2 --period 200ms --runtime 100ms --threshold 50us"
	# shellcheck disable=SC2086
	begin $tracer -d 10m --runs killed $opts
	kill -9 $pid; ends "$tracer, killed"
	(cd $tracing && others) >/tmp/now
	cmp -s /tmp/now /tmp/others && fail "$tracer, killed: nothing was left changed"
	# shellcheck disable=SC2086
	nf --runs "$tracer" $tracer -d 1s $opts >out 2>err || { cat out err; fail "$tracer after a kill: $?"; }
	grep -qF "$tracing/osnoise/cpus: put back (process $pid was killed" err || { cat err; fail "$tracer: not told"; }
	grep -q "^cpu 1 " out && grep -q "^cpu 2 " out || { cat out; fail "$tracer: not two CPUs"; }
	nf evidence check "$tracer" >out || { cat out; fail "$tracer: evidence check $?"; }
	unchanged "$tracer"
	ok "$tracer reports, and puts back what a killed run had left"
done
# shellcheck disable=SC2086
begin timerlat -d 10m --runs tracer-INT $opts
kill -INT $pid
ends "timerlat, INT"
[ $code = 130 ] || { cat err; fail "timerlat, INT: exit $code"; }
unchanged "timerlat, INT"
is tracer-INT '"stopped_by": "SIGINT"'
ok "a signal ends timerlat with a partial record and everything put back"
