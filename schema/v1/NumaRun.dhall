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

let Policy =
      < other | fifo | rr | deadline >

let SampleUnit =
      < tick | ns | count >

let SampleKind =
      < duration | instant | count >

let StreamRef =
      { file : Text -- measured: path below the run folder
      , stream : Text -- measured: name of the stream in that file
      , count : Natural -- measured: samples kept
      , sha256 : Optional Text -- measured: digest of the file, 64 hex digits; None: samples were not kept
      , unit : SampleUnit -- measured: unit of the raw values
      , kind : SampleKind -- measured: what a value is
      , clock : Text -- measured: clock it was read from; empty for counts
      , tick_hz : Optional Double -- measured: ticks per second where the unit is tick
      , origin : Optional Text -- measured: what 0 is, for instants
      , cpu : Optional Natural -- measured: CPU the samples belong to
      , node : Optional Natural -- measured: NUMA node of that CPU
      , dropped : Natural -- measured: samples lost to a full buffer
      , saturated : Natural -- measured: samples clipped to the representable range
      , missed : Natural -- measured: events that were due and never happened
      , truncated : Natural -- measured: events cut short
      }

let BracketCpu =
      { cpu : Natural -- measured: measured CPU
      , interrupts : Optional Natural -- measured: all lines of /proc/interrupts
      , timer_interrupts : Optional Natural -- measured: local timer interrupts
      , softirqs : Optional Natural -- measured: /proc/softirqs
      , steal_ticks : Optional Natural -- measured: time the hypervisor took, in USER_HZ ticks
      , thermal_throttles : Optional Natural -- measured: thermal throttling events of the core
      , freq_before_khz : Optional Natural -- measured: frequency before
      , freq_after_khz : Optional Natural -- measured: frequency after
      }

let Bracket =
      { cpus : List BracketCpu -- per measured CPU
      , voluntary_switches : Optional Natural -- measured: context switches of this process that it asked for
      , involuntary_switches : Optional Natural -- measured: context switches forced on it
      , minor_faults : Optional Natural -- measured: page faults without I/O
      , major_faults : Optional Natural -- measured: page faults with I/O
      , migrations : Optional Natural -- measured: moves of its threads between CPUs
      , cgroup_throttled : Optional Natural -- measured: periods its cgroup was throttled
      , cgroup_throttled_us : Optional Natural -- measured: time its cgroup was throttled
      , load_before : Optional Double -- measured: load average over one minute
      , load_after : Optional Double -- measured: load average over one minute
      , runnable_before : Optional Natural -- measured: runnable tasks
      , runnable_after : Optional Natural -- measured: runnable tasks
      }

let RunFacts =
      { cpus_asked : Text -- declared: CPU list asked for
      , cpus_got : Text -- measured: CPU list from the masks read back after binding
      , controller_cpu : Optional Natural -- measured: where the controlling thread sat; None: it moved
      , controller_measured : Bool -- measured: the controlling thread sat on a measured CPU
      , sibling_measured : Bool -- measured: a measured CPU shares a core with the controlling thread
      , policy : Policy -- measured: scheduling policy in force
      , priority : Natural -- measured: realtime priority in force, else 0
      , warmup_ns : Natural -- measured: warm-up that was not recorded
      , wall_ns : Natural -- measured: measured span on CLOCK_MONOTONIC_RAW
      , overhead_ns : Optional Double -- measured: cost of the empty loop per sample
      , faults_inside : Natural -- measured: page faults of measuring threads between first and last sample
      , locked : Bool -- measured: sample buffers were locked in memory
      , seed : Text -- declared: seed, decimal
      , notes : List Text -- measured: what a reader must know: holes, fallbacks, sharing
      , notes_lost : Natural -- measured: notes for which there was no room
      , dropped : Natural -- measured: over all streams: samples lost to a full buffer
      , saturated : Natural -- measured: over all streams: samples clipped
      , missed : Natural -- measured: over all streams: events due that never happened
      , truncated : Natural -- measured: over all streams: events cut short
      , streams : List StreamRef -- raw samples
      , bracket : Optional Bracket -- what the system did meanwhile
      , result : Result -- derived: verdict on this run
      , reason : Optional Text -- derived: why it is not pass
      , limit : Optional Text -- declared: limit it was judged against; None: no limit set
      , stopped_by : Optional Text -- measured: signal that ended it early
      }

let Placement =
      < flat | local | interleave | remote >

let Percentile =
      { p : Double -- declared: percentile, 0 to 100
      , value : Double -- derived: in the summary's unit
      , n_beyond : Natural -- derived: samples at or beyond it; 0: it only interpolates towards the maximum
      }

let Summary =
      { n : Natural -- derived: number of samples
      , unit : Text -- derived: unit of every value here: ns, count, ratio
      , min : Double -- derived: smallest
      , max : Double -- derived: largest
      , mean : Double -- derived: arithmetic mean
      , median : Double -- derived: middle
      , mad : Double -- derived: median of the distances from the median, unscaled
      , sd : Optional Double -- derived: sample standard deviation, divisor n - 1; None for one sample
      , percentiles : List Percentile -- in rising order of p
      , median_ci_lo : Optional Double -- derived: lower end of the median's confidence interval (order statistics)
      , median_ci_hi : Optional Double -- derived: upper end
      , median_ci_level : Optional Double -- derived: its level, 0 to 1; None: too few samples for an interval
      , histogram : List Natural -- derived: samples in 24 bins, equally wide in the logarithm of 1 + value - min
      , method : Text -- derived: estimators in use
      }

let NumaBandwidth =
      { cpu_node : Natural -- measured: node of the reading CPUs
      , mem_node : Natural -- measured: node of the memory
      , bytes : Natural -- declared: bytes read per repetition
      , bytes_per_s : Optional Double -- derived: bytes over the median time
      , summary : Optional Summary -- time of one repetition, ns
      }

let CauseKind =
      < unexplained | events_lost | irq | softirq | nmi | thread >

let Cause =
      { kind : CauseKind -- measured: unexplained: no event says what it was: hardware, firmware, hypervisor
      , name : Text -- measured: interrupt (a line with its number), softirq or thread; empty where there is none
      , pid : Optional Natural -- measured: id of the thread
      , count : Natural -- derived: intervals labelled so: what interrupted
      , part_count : Natural -- derived: intervals of which it took a part
      , total_ticks : Natural -- derived: its part of the noise; over all causes they add up to noise_ticks
      , inside_ticks : Natural -- derived: of that: between its events; the rest is the way into and out of the kernel
      , total_ns : Double -- derived: total_ticks in ns
      , share : Optional Double -- derived: total_ticks over noise_ticks
      , longest_ns : Double -- derived: its largest part of one interval
      , occurrences : Natural -- derived: times that it began within the measured span
      , met : Natural -- derived: of these: while the measuring thread itself had the CPU
      , met_labelled : Natural -- derived: of those that met it: in an interval labelled so
      , inside_intervals : Natural -- derived: of occurrences: in an interval of noise
      , labelled : Natural -- derived: of these: in an interval labelled so
      }

let Causes =
      { noise : Text -- declared: what the intervals of noise are
      , trace_clock : Text -- measured: clock of the events: the kernel's name
      , tick_hz : Double -- measured: ticks per second
      , around_limit_ns : Natural -- declared: on each side of an event so much at most counts as the way into and out of the kernel
      , buffer_kb : Natural -- declared: the kernel's buffer per CPU
      , drained : Bool -- measured: buffers were emptied during the run, on a CPU that was not measured
      , measured_threads : List Natural -- measured: ids of the measuring threads: what they did is no cause
      , events : Natural -- measured: events kept
      , events_lost : Natural -- measured: events that the kernel's buffers lost, as far as it knows
      , events_dropped : Natural -- measured: events beyond the memory for them
      , intervals : Natural -- derived: intervals of noise
      , noise_ticks : Natural -- derived: their noise
      , noise_ns : Double -- derived: noise_ticks in ns
      , causes : List Cause -- by falling total_ticks
      , causes_merged : Natural -- derived: causes with little noise that the rows without a name at the end stand for
      , streams : List StreamRef -- the events: two streams per CPU
      , names_file : Optional Text -- measured: path below the run folder: the names that events refer to, a line each, from 0; None: not kept
      }

let NumaBody =
      { placement : Placement -- declared: where the memory was put
      , channels : Natural -- declared: rows of the matrix
      , samples : Natural -- declared: columns of the matrix
      , rate_hz : Natural -- declared: sampling rate the matrix stands for
      , partitions : Natural -- declared: contiguous groups of channels
      , threads : Natural -- measured: threads of the parallel reduction
      , nodes : Natural -- measured: NUMA nodes
      , serial : Optional Summary -- serial reduction, ns
      , parallel : Optional Summary -- parallel reduction, ns
      , read_limit : Optional Summary -- best plain vectorised sum of the same memory, ns
      , thread_start : Optional Summary -- starting and joining the threads, ns
      , speedup : Optional Double -- derived: median serial over median parallel
      , base_serial_median_ns : Optional Double -- derived: the base case of the speed-up
      , serial_ns_per_element : Optional Double -- derived: median serial time per matrix element
      , serial_to_limit_ratio : Optional Double -- derived: median serial over median read_limit
      , serial_sum : Optional Double -- measured: result of the serial reduction
      , parallel_sum : Optional Double -- measured: result of the parallel reduction
      , difference : Optional Double -- derived: parallel_sum - serial_sum
      , pages_on_node : List Natural -- measured: pages of the matrix on each node
      , pages_unknown : Natural -- measured: pages whose node could not be told
      , placement_verified : Bool -- measured: every page was found where it was asked for
      , bandwidth : List NumaBandwidth -- read bandwidth per pair of nodes
      , note : Optional Text -- derived: what a reader must know of this sample
      , causes : Optional Causes -- what made samples collapse; None: not asked for (--why)
      }

let NumaRun =
      { schema : Text -- declared: NumaRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : NumaBody -- what it measured
      }

in  NumaRun
