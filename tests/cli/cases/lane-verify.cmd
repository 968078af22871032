cd $HOSTS
printf 'config CONFIG_PREEMPT_RT=y\ncmdline quiet\ncmdline isolcpus=2\nsysctl kernel.hostname = lanes\n' > "$OLDPWD/rt.profile"
noisefloor lane verify --root lanes; echo "exit $?"
noisefloor lane verify --root lanes --expect-lane generic; echo "exit $?"
noisefloor lane verify --root lanes --expect-lane rt --overlay "$OLDPWD/rt.profile"; echo "exit $?"
noisefloor lane campaign; echo "exit $?"
noisefloor lane arm --reboot; echo "exit $?"
noisefloor lane status --target -oProxyCommand=x; echo "exit $?"
