let Host =
      { label : Text -- measured: host name: a label, not an identity
      , machine_hash : Optional Text -- measured: application-specific hash of machine-id and DMI product
      , dmi_model : Optional Text -- measured: DMI vendor and product
      , platform_kind : Optional Text -- measured: hardware, kvm, tcg, vm or container
      }

let Library =
      { name : Text -- measured: library
      , version : Text -- measured: version in use
      }

let Build =
      { compiler : Text -- measured: compiler and version
      , build_type : Text -- measured: Meson build type
      , flags : Text -- measured: flags of the program
      , kernels_compiler : Text -- measured: compiler of the measured kernels
      , kernels_flags : Text -- measured: flags of the measured kernels
      , sanitize : Text -- measured: sanitizers, or none
      , commit : Optional Text -- measured: commit it was built from
      , dirty : Optional Bool -- measured: the tree had uncommitted changes
      , binary_sha256 : Optional Text -- measured: digest of the running program
      , libraries : List Library -- libraries it runs with
      }

let EnvVar =
      { name : Text -- measured: environment variable of the allow-list
      , value : Text -- measured: its value
      }

let FileRef =
      { path : Text -- measured: file: below the run folder, or as given for an input
      , sha256 : Text -- measured: its digest, 64 hex digits
      }

let Lane =
      < unknown | generic | rt >

let ClockSource =
      < tsc | cntvct | monotonic_raw >

let Clock =
      { source : ClockSource -- measured: counter in use
      , hz : Double -- measured: ticks per second of CLOCK_MONOTONIC_RAW
      , hz_error_ppm : Double -- measured: standard error of that rate
      , hz_nominal : Optional Double -- measured: rate the hardware declares
      , step_ticks : Natural -- measured: greatest common divisor of small differences
      , read_min_ns : Double -- measured: cheapest read
      , read_median_ns : Double -- measured: usual cost of a read
      , fallback_reason : Optional Text -- measured: why the hardware counter is not used
      , windows_kept : Natural -- measured: calibration windows in the regression
      , windows_rejected : Natural -- measured: calibration windows rejected as outliers
      }

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

let Difference =
      { name : Text -- derived: fact of the setup that differs between before and after
      , before : Optional Text -- derived: its value before; None: unknown
      , after : Optional Text -- derived: its value after; None: unknown
      , is_volatile : Bool -- derived: it changes by itself (load, uptime): shown, no finding
      }

let Exclusion =
      { what : Text -- derived: what was left out of the numbers
      , reason : Text -- derived: why
      }

let RunState =
      < partial | complete >

let Result =
      < blocked | fail | partial | pass >

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let Head =
      { run_id : Text -- measured: name of the run: its folder's name
      , tag : Optional Text -- declared: tag given by the user
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , started_utc : Text -- measured: RFC 3339 UTC
      , finished_utc : Text -- measured: RFC 3339 UTC
      , duration_s : Double -- measured: on CLOCK_MONOTONIC_RAW, never from the dates
      , host : Host -- which machine
      , build : Build -- how this program was built
      , environment : List EnvVar -- allow-listed part of the environment
      , inputs : List FileRef -- files that were read as input
      , under : Optional Text -- declared: command run as load during the measurement
      , reached : Optional Text -- declared: how this machine was reached from another, as whom it was measured; None: it was not
      , recovered : Optional Text -- measured: what was put back of killed runs before this one; None: nothing
      , seed : Text -- declared: seed, decimal
      , lane : Lane -- measured: realtime lane of the running kernel
      , expected_lane : Optional Lane -- declared: lane the user expected; None: any
      , clock : Optional Clock -- clock that intervals were measured with
      , setup_before : Setup -- setup before measuring
      , setup_after : Optional Setup -- setup after; None: it could not be read again
      , differences : List Difference -- facts that differ between the two
      , exclusions : List Exclusion -- what was left out, with reasons
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , state : RunState -- measured: complete: measured to its planned end; partial: stopped early
      , result : Result -- derived: verdict of the whole run
      , reason : Optional Text -- derived: why it is not pass
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let Percentile =
      { p : Double -- declared: percentile, 0 to 100
      , value : Double -- derived: in the summary's unit
      , n_beyond : Natural -- derived: samples at or beyond it; 0: it only interpolates towards the maximum
      }

let MpiSamples =
      { file : Text -- measured: path below the run folder
      , stream : Text -- measured: names of its streams, # being the rank
      , sha256 : Text -- measured: digest of the file, 64 hex digits
      }

let MpiSlowRank =
      { rank : Natural -- measured: rank in MPI_COMM_WORLD
      , host : Text -- measured: its node's name
      , cpu : Optional Natural -- measured: CPU it ended on; None: it moved meanwhile
      , cpus : Text -- measured: CPUs it was bound to, read back
      , mean_ns : Double -- derived: mean quantum
      , min_ns : Double -- derived: shortest quantum
      , max_ns : Double -- derived: longest quantum
      , noise_ratio : Double -- derived: 1 - n x min / sum of its quanta
      , involuntary_switches : Natural -- measured: context switches forced on it
      , shared : Bool -- measured: another rank of the job runs on its CPU
      , what : Text -- derived: what makes it slow, as far as these figures tell
      }

let MpiBulkSynchronous =
      { ranks : Natural -- declared: processes that wait for each other after every quantum
      , step_ns : Double -- derived: expected longest of so many independent quanta
      , to_mean : Double -- derived: step_ns over the mean quantum: what waiting for the slowest costs
      , to_min : Double -- derived: step_ns over the shortest quantum: what all noise costs
      , lower_bound : Bool -- derived: as many ranks as samples, or more: it is at least this
      }

let MpiNoiseBody =
      { library : Text -- measured: MPI library, as it names itself
      , standard : Text -- measured: version of the MPI standard that it implements
      , launcher : Optional Text -- measured: launcher, by its environment variables; None: started alone
      , ranks : Natural -- measured: processes of the job
      , nodes : Natural -- measured: shared-memory nodes that they run on
      , nodes_alike : Optional Bool -- measured: kernel, command line, CPU model and tick source are the same on all nodes
      , pinned : Bool -- declared: ranks bound themselves to one CPU of the set that the launcher gave them
      , unbound_ranks : Natural -- measured: ranks that may run on more than one CPU
      , moved_ranks : Natural -- measured: ranks that ended on another CPU than they began on
      , sharing_ranks : Natural -- measured: ranks that have to share CPUs with other ranks
      , kernel : Text -- declared: kind of work
      , work : Natural -- declared: iterations per quantum, the same on all ranks
      , quantum_ns : Optional Double -- declared: quantum that the work was chosen for on rank 0; None: work was given
      , samples_asked : Natural -- declared: quanta per rank; 0: as many as the duration has
      , duration_ns : Optional Natural -- declared: how long was measured; None: by count
      , n : Natural -- measured: quanta of all ranks
      , min_ns : Double -- derived: shortest
      , max_ns : Double -- derived: longest
      , mean_ns : Double -- derived: arithmetic mean
      , sd_ns : Optional Double -- derived: standard deviation, divisor n - 1; None for one quantum
      , percentiles : List Percentile -- from the histogram, in rising order of p
      , noise_ratio : Double -- derived: 1 - sum of n x min over sum of all quanta, each rank with its own min
      , rank_mean_min_ns : Double -- derived: smallest mean quantum of a rank
      , rank_mean_max_ns : Double -- derived: largest mean quantum of a rank
      , histogram_error : Double -- declared: largest relative error of a bucket's middle
      , bucket_from_ps : List Natural -- derived: merged histogram: lowest value of each bucket that is not empty, in ps
      , bucket_to_ps : List Natural -- derived: highest value of that bucket
      , bucket_count : List Natural -- derived: quanta in that bucket, each rounded to whole ps
      , dropped : Natural -- measured: quanta that had no room in memory, over all ranks
      , clipped : Natural -- measured: quanta too long for the histogram (2.5 h): counted at its end
      , minor_faults : Natural -- measured: page faults of ranks between first and last quantum
      , involuntary_switches : Natural -- measured: context switches forced on ranks meanwhile
      , tick_hz_min : Double -- measured: slowest tick rate of a node
      , tick_hz_max : Double -- measured: fastest tick rate of a node
      , wall_ns : Natural -- measured: longest measured span of a rank, on CLOCK_MONOTONIC_RAW
      , samples : Optional MpiSamples -- raw samples of all ranks; None: not kept
      , tables : List FileRef -- a line per rank, a line per node, a setup per node
      , slowest : List MpiSlowRank -- ranks with the largest mean quantum, slowest first
      , bsp : List MpiBulkSynchronous -- bulk-synchronous applications of so many ranks, if quanta were independent
      , own_memory_growth_bytes : Optional Natural -- measured: largest growth of a rank's anonymous memory since MPI_Init without its samples
      , notes : List Text -- measured: what a reader must know
      , stopped_by : Optional Text -- measured: signal that ended it early
      }

let MpiNoiseRun =
      { schema : Text -- declared: MpiNoiseRun/1
      , head : Head -- who, where, when, with what: of rank 0 and its node
      , body : MpiNoiseBody -- what the job measured
      }

in  MpiNoiseRun
