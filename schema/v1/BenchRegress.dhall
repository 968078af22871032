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

let BenchPlan =
      { sets : Natural -- declared: of each variant
      , iterations : Natural -- declared: values of a set, after the warm-up
      , sets_asked : Natural -- declared: before they were fitted to max_time_ns
      , iterations_asked : Natural -- declared: before they were fitted to max_time_ns
      , min_iteration_ns : Natural -- declared: a value of a built-in benchmark is timed over at least so long
      , max_time_ns : Natural -- declared: how long the run may take
      , cpus : Optional Text -- declared: CPUs that every set was bound to; None: those of this process
      , estimate_s : Double -- derived: what was expected, after the first sets
      , order : Text -- declared: how the sets were ordered
      }

let BenchAgainst =
      { path : Text -- declared: file of the baseline
      , saves : Bool -- declared: sessions were to be added, not compared
      , sessions : Natural -- measured: sessions in it, before this run
      , sessions_here : Natural -- derived: of those from a machine with this fingerprint
      , any_machine : Bool -- declared: sessions of other machines counted, too
      , delta_ratio : Double -- declared: slowdown that does not matter
      , alpha : Double -- declared: family-wise error of the run
      , family : Natural -- derived: benchmarks that were judged together
      , threshold_ratio : Optional Double -- declared: the plain rule instead: REGRESSED when a median is more than so much above the stored one, where larger is better one over it above one over the stored; no claim about noise
      , stored_now : Natural -- measured: sessions that this run added
      }

let BenchBackend =
      < builtin | command | report >

let MemoryMethod =
      < unknown | cgroup | pss | rss >

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

let BenchVariant =
      { label : Text -- declared: its name in this run
      , backend : BenchBackend -- declared: what makes its sets
      , bench : Optional Text -- declared: name of the benchmark; None: the command is one
      , threads : Optional Natural -- declared: asked for; None: the benchmark's own default
      , program : Optional Text -- declared: program that holds the benchmark; None: this one
      , argv : List Text -- declared: command, one word each
      , shell : Optional Text -- declared: text that /bin/sh ran instead
      , env : List Text -- declared: NAME=value put over the environment
      , setup : Optional Text -- declared: shell text once before its first set, not timed
      , prepare : Optional Text -- declared: shell text before each execution, not timed
      , cleanup : Optional Text -- declared: shell text after each execution, not timed
      , input : Optional Text -- declared: file for standard input; None: /dev/null
      , output : Optional Text -- declared: file for standard output and error; None: /dev/null
      , report_form : Optional Text -- declared: form in which the command reports its own numbers; None: it does not
      , report_file : Optional Text -- declared: file that the command reports in; None: its standard output
      , better : Optional Text -- declared: smaller or larger, as an option says; None: as the command says, else as its unit tells
      , any_status : Bool -- declared: a non-zero exit status was no failure
      , timeout_ns : Optional Natural -- declared: a set that took longer failed; None: no limit
      , pilot_ns : Optional Natural -- measured: length of the first set, of one value, which is discarded; None: it was not reached
      , tree_peak_bytes : Optional Double -- measured: memory of all its processes together at its highest, in that first set; None: unknown, or no command
      , tree_peak_method : MemoryMethod -- measured: how that was found out: by a control group of its own, or by samples of PSS or RSS, which may miss the highest
      , tree_peak_samples : Natural -- measured: samples of all its processes that were taken then
      , unit : Optional Text -- measured: of its values; None: nothing was measured
      , higher_is_better : Bool -- derived: larger values are better, as `better` or the command says, else as of a unit that ends in /s: comparisons take one over them
      , shell_ns : Optional Double -- derived: median of its sets' shell_ns: what the start of a shell costs, which is in its values; None: no shell
      , sets : Natural -- measured: sets that gave all their values
      , failure : Optional Text -- measured: why it failed; None: it did not
      , unsupported : Optional Text -- measured: why this machine cannot have it, so that it was left out; None: it can, or it was not asked
      , summary : Optional Summary -- over all values of all sets: its median is the global median
      , median_of_set_medians : Optional Double -- derived: not the global median: every set counts once
      , set_cv_ratio : Optional Double -- derived: standard deviation of the set medians (n - 1) over their mean
      , user : Optional Summary -- CPU time in user mode
      , system : Optional Summary -- CPU time in the kernel
      , peak : Optional Summary -- resident memory of the largest process, not of all together (tree_peak_bytes); None: see peak_bytes
      }

let BenchPosture =
      { steal_s : Optional Double -- measured: CPU time that the hypervisor took during the set
      , throttled_s : Optional Double -- measured: time that the cgroup was throttled
      , mhz_before : Optional Double -- measured: mean frequency of the CPUs in use, before
      , mhz_after : Optional Double -- measured: after
      , load_before : Optional Double -- measured: load average over one minute
      , context_switches : Optional Natural -- measured: of the benchmark's processes
      , migrations : Optional Natural -- measured: moves between CPUs
      }

let BenchFact =
      { name : Text -- measured: of the fact; the benchmark's own choice
      , value : Optional Double -- measured: a number; None: it is a word
      , text : Optional Text -- measured: a word; None: it is a number
      }

let BenchSet =
      { variant : Natural -- declared: which, counted from 0
      , row : Natural -- declared: row of the schedule, or pair of the comparison, that it belongs to, from 0
      , seed : Text -- declared: of this set, decimal
      , started_s : Double -- measured: from the start of the run
      , wall_ns : Natural -- measured: length of the set, start of its processes included
      , operations : Natural -- measured: timed together for one value
      , warm_up : Optional Double -- measured: value that was discarded; None: there was none
      , shell_ns : Optional Double -- measured: `sh -c :` beside it, timed as a value is; None: not before this set
      , values : List Double -- measured: in the order they were measured
      , median : Optional Double -- derived: of the values
      , user_ns : List Double -- measured: CPU time in user mode, per value; empty: unknown
      , system_ns : List Double -- measured: CPU time in the kernel, per value
      , peak_bytes : List Double -- measured: resident memory of its largest process, per value; empty: no more than this program's own, which hides it, or unknown
      , wait_status : List Natural -- measured: as wait() gives it, per value
      , posture : BenchPosture -- what the system did meanwhile
      , facts : List BenchFact -- what the benchmark told with its values
      , stopped : Bool -- measured: a signal ended it early
      , failure : Optional Text -- measured: why it failed; None: it did not
      , discarded : Optional Text -- derived: why its block was left out of the comparison; None: it was not
      }

let BenchJudgement =
      < inconclusive | within | not_confirmed | regressed | new | gone | stored | failed >

let BenchJudged =
      { bench : Text -- declared: name of the benchmark
      , threads : Optional Natural -- declared: asked for; None: the benchmark's own default
      , knobs : List Text -- declared: NAME=value of what was varied
      , variant : Optional Natural -- declared: which, counted from 0; None: it is only in the baseline
      , unit : Optional Text -- measured: of every value here
      , higher_is_better : Bool -- derived: larger is better: what is compared is one over it
      , stored : List Double -- measured: medians of the stored sessions, oldest first
      , newest_age_s : Optional Double -- derived: of the last of them
      , oldest_age_s : Optional Double -- derived: of the first
      , newest_commit : Optional Text -- declared: what the last of them was measured of
      , newest_dirty : Optional Bool -- declared: with changes that are not in the commit
      , boots : Natural -- derived: different boots they come from; 1: the bounds do not know how boots differ
      , sessions : List Double -- derived: medians of the sessions of this run; the second confirms
      , mean_ln : Optional Double -- derived: mean of the logarithms of `stored`, where larger is better of one over it
      , sd_ln : Optional Double -- derived: their standard deviation (n - 1)
      , first_bound : Optional Double -- derived: a first session beyond it asks for a second
      , second_bound : Optional Double -- derived: REGRESSED when the geometric mean of the two is beyond it, too
      , stored_median : Optional Double -- derived: geometric mean of `stored`; under the plain rule the median of `stored`
      , ratio : Optional Double -- derived: geometric mean of `sessions` over stored_median, where larger is better the other way round: above 1 is worse
      , detectable_ratio : Optional Double -- derived: slowdown found with probability of about 0.8
      , verdict : BenchJudgement -- derived: what follows
      , reason : Optional Text -- derived: why it is inconclusive or failed
      }

let BenchRegress =
      { schema : Text -- declared: BenchRegress/1
      , head : Head -- who, where, when, with what
      , plan : BenchPlan -- how much was to be measured in a session; sets of row r are of session r / sets
      , baseline : BenchAgainst -- what it is compared with, or stored in, and by which rule
      , variants : List BenchVariant -- what was measured; figures are over all sessions
      , sets : List BenchSet -- in the order they ran
      , judged : List BenchJudged -- one a benchmark
      }

in  BenchRegress
