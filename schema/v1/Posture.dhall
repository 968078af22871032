let Host =
      { label : Text -- measured: host name: a label, not an identity
      , machine_hash : Optional Text -- measured: application-specific hash of machine-id and DMI product
      , dmi_model : Optional Text -- measured: DMI vendor and product
      , platform_kind : Optional Text -- measured: hardware, kvm, tcg, vm or container
      }

let Lane =
      < unknown | generic | rt >

let Setup =
      { platform_kind : Optional Text -- measured: hardware, kvm, tcg, vm (another or unnamed hypervisor) or container
      , hypervisor : Optional Text -- measured: hypervisor vendor from CPUID leaf 0x40000000, /sys/hypervisor or the device tree
      , cpu_model : Optional Text -- measured: model name from /proc/cpuinfo, or implementer and part on aarch64; different ones separated by '; '
      , cpu_vendor : Optional Text -- measured: vendor_id or implementer from /proc/cpuinfo
      , microcode : Optional Text -- measured: microcode revision from /proc/cpuinfo
      , cpus_online : Optional Text -- measured: online CPUs
      , cpus_present : Optional Text -- measured: present CPUs
      , cpus_allowed : Optional Text -- measured: CPUs this process may run on (/proc/self/status)
      , cpus_isolated : Optional Text -- measured: isolated CPUs; empty: none
      , cpus_nohz_full : Optional Text -- measured: adaptive-tick CPUs; empty: none
      , numa_nodes : Optional Text -- measured: online NUMA nodes
      , mitigations : Optional Text -- measured: every file of vulnerabilities/ as name: state, separated by '; '
      , smt_active : Optional Bool -- measured: more than one hardware thread per core is online
      , smt_control : Optional Text -- measured: /sys/devices/system/cpu/smt/control
      , governor : Optional Text -- measured: cpufreq governors in use, each with its CPUs
      , frequency_driver : Optional Text -- measured: cpufreq scaling driver of the first CPU that has one
      , turbo : Optional Bool -- measured: boost allowed (intel_pstate/no_turbo or cpufreq/boost)
      , idle_driver : Optional Text -- measured: cpuidle driver
      , idle_states : Optional Text -- measured: enabled idle states of the first online CPU: name and exit latency in us, separated by '; '
      , kernel_release : Optional Text -- measured: uname -r
      , kernel_version : Optional Text -- measured: uname -v
      , kernel_cmdline : Optional Text -- measured: /proc/cmdline
      , machine_arch : Optional Text -- measured: uname -m
      , realtime : Optional Bool -- measured: PREEMPT_RT kernel: /sys/kernel/realtime, else uname -v, else the configuration
      , realtime_source : Optional Text -- measured: what the realtime answer was read from
      , preemption_model : Optional Text -- measured: none, voluntary, full, lazy, dynamic (with the mode) or rt
      , config_hz : Optional Natural -- measured: CONFIG_HZ where a kernel configuration can be read
      , config_source : Optional Text -- measured: where the kernel configuration was read from
      , tuned_profile : Optional Text -- measured: /etc/tuned/active_profile
      , transparent_hugepage : Optional Text -- measured: selected transparent huge page mode
      , clocksource : Optional Text -- measured: current clocksource
      , clocksources : Optional Text -- measured: available clocksources
      , tsc_invariant : Optional Bool -- measured: constant_tsc and nonstop_tsc on every CPU (x86)
      , clock_sync : Optional Text -- measured: clock synchronisation: synchronised or unsynchronised (adjtimex)
      , rt_runtime_us : Optional Natural -- measured: sched_rt_runtime_us; -1 (no throttling) is written as 0 with rt_throttled false
      , rt_throttled : Optional Bool -- measured: realtime throttling is in force
      , rt_period_us : Optional Natural -- measured: sched_rt_period_us
      , fair_server : Optional Bool -- measured: the deadline server for fair tasks is in force: a runtime above 0 in debug/sched/fair_server, or by kernel version (6.12+) where that cannot be read
      , cgroup_quota : Optional Text -- measured: tightest CPU quota on this process that can be seen: quota us/period us, or max
      , cgroup_path : Optional Text -- measured: cgroup of this process that the quota and cpuset come from
      , irqbalance : Optional Bool -- measured: an irqbalance process runs; unknown in a container that shows none
      , dmi_vendor : Optional Text -- measured: DMI system vendor
      , dmi_product : Optional Text -- measured: DMI product name
      , bios_version : Optional Text -- measured: DMI BIOS version and date
      , mem_total_kib : Optional Natural -- measured: MemTotal
      , uptime_s : Optional Double -- measured: uptime
      , load_1min : Optional Double -- measured: load average over one minute
      , load_5min : Optional Double -- measured: load average over five minutes
      , load_15min : Optional Double -- measured: load average over fifteen minutes
      , runnable : Optional Natural -- measured: runnable tasks (/proc/loadavg)
      , mem_available_kib : Optional Natural -- measured: MemAvailable
      , steal_ticks : Optional Natural -- measured: steal time since boot, all CPUs, in USER_HZ ticks
      , temperatures : Optional Text -- measured: thermal zones as type: degrees Celsius, separated by '; '
      , boot_id : Optional Text -- measured: /proc/sys/kernel/random/boot_id
      , host_name : Optional Text -- measured: host name: a label, not an identity
      , machine_hash : Optional Text -- measured: HMAC-SHA-256 of the DMI product name (or device-tree model), keyed by machine-id, for this application only
      , unread : List Text -- measured: facts that should be readable and were not, as path: why
      }

let Match =
      < `missing` | mismatched | matched >

let ProfileLine =
      { line : Natural -- declared: line number in the profile, from 1
      , text : Text -- declared: the line
      , match : Match -- derived: what the machine says to it
      , found : Optional Text -- measured: the machine's value; None: it has none, or it cannot be read
      , unread : Optional Text -- measured: why it cannot be read; then missing says nothing about the machine
      }

let Result =
      < blocked | fail | partial | pass >

let AdviceItem =
      { id : Text -- derived: which rule speaks
      , found : Text -- derived: what the machine says
      , effect : Text -- declared: what that does to timing
      , help : Text -- declared: what would help
      , read_from : Text -- declared: the fact of setup, or the file, that it stands on
      , source : Text -- declared: the document that says so
      }

let Advice =
      { items : List AdviceItem -- what spoils timing here and what would help
      , undecided : List Text -- derived: rules whose fact is unknown here
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let Posture =
      { schema : Text -- declared: Posture/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , root : Text -- declared: tree it was read from; / is the live system
      , host : Host -- which machine
      , lane : Lane -- measured: realtime lane of the kernel
      , setup : Setup -- every fact
      , profile : Optional Text -- declared: profile it was checked against
      , profile_lines : List ProfileLine -- the profile's lines
      , result : Optional Result -- derived: verdict on the profile; None: none was given
      , reason : Optional Text -- derived: why the verdict is not pass
      , advice : Optional Advice -- None: not asked for
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  Posture
