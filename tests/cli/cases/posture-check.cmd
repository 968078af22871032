printf '%s\n' '# what a realtime machine should be' 'config CONFIG_PREEMPT_RT=y' 'cmdline isolcpus=2-7' 'sysctl kernel.sched_rt_runtime_us=-1' > rt.profile
for host in server-2node-rt server-2node; do noisefloor posture --root $HOSTS/$host --check rt.profile; echo "exit $?"; done
printf 'cmdline nosmt\nsysctl vm.swappiness\n' > bad.profile
noisefloor posture --check bad.profile
