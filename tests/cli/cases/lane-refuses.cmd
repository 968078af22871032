cd $HOSTS
for host in lanes lanes-lvm; do noisefloor lane arm --root $host; echo "exit $?"; done
noisefloor lane arm --dry-run --root lanes --entry 6.1.0-18-amd64; echo "exit $?"
noisefloor lane arm --dry-run --root lanes-lvm; echo "exit $?"
noisefloor lane arm --dry-run --root lanes | tail -1; echo "exit $?"
noisefloor lane clear --root lanes | tail -1; echo "exit $?"
noisefloor lane clear --root lanes-lvm; echo "exit $?"
noisefloor lane status --root /no/such/folder; echo "exit $?"
noisefloor lane status --root lanes --loader systemd-boot; echo "exit $?"
