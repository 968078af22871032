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

let Profile =
      < quick | standard | deep | custom >

let TimingBudget =
      { period_ns : Natural -- declared: period of the activity
      , max_jitter_ns : Natural -- declared: largest distance of an interval from the period
      , max_latency_ns : Natural -- declared: longest interval
      , max_smi : Optional Natural -- declared: most system management interrupts in a window
      , max_hwlat_ns : Optional Natural -- declared: longest hardware latency gap
      , max_noise_ratio : Optional Double -- declared: largest share of time lost to noise, 0 to 1
      , max_detour_ns : Optional Natural -- declared: longest single interruption of fixed work
      }

let Headline =
      { smallest_interval_ns : Optional Double -- derived: smallest interval that can be resolved here
      , worst_interruption_ns : Optional Double -- derived: worst interruption seen
      , worst_interruption_source : Optional Text -- derived: probe that saw it
      , noise_ratio : Optional Double -- derived: share of the time lost to noise
      , repeat_below_ratio : Optional Double -- derived: differences smaller than this need repeats
      , text : Text -- derived: the same as a sentence
      }

let StepResult =
      < blocked | fail | partial | pass | skipped >

let Step =
      { name : Text -- declared: probe
      , result : StepResult -- derived: its verdict
      , reason : Optional Text -- derived: why it is not pass
      , started_s : Double -- measured: since the start of the run
      , duration_s : Double -- measured: on CLOCK_MONOTONIC_RAW
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

let SmiSource =
      < msr | perf >

let SmiCount =
      { cpu : Natural -- measured: CPU
      , count : Natural -- measured: increase over the window
      }

let SmiBody =
      { source : SmiSource -- measured: where the counts came from
      , trusted : Bool -- measured: false: a guest whose counter never moved; no verdict rests on it
      , window_ns : Natural -- measured: length of the window
      , counts : List SmiCount -- per CPU
      , max_count : Natural -- derived: largest of the CPUs: an SMI stops all of them
      , min_count : Natural -- derived: smallest of the CPUs
      , per_10s : Optional Double -- derived: max_count per ten seconds; None: untrusted
      }

let SmiStep =
      { facts : RunFacts -- what the run stands on
      , body : SmiBody -- what it measured
      }

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

let HwlatBody =
      { window_us : Natural -- measured: sampling period in force
      , width_us : Natural -- measured: time spent looking per period, in force
      , threshold_us : Natural -- measured: smallest gap reported, in force
      , gaps : Natural -- measured: reports
      , max_ns : Optional Natural -- measured: longest gap; None: none over the threshold
      , summary : Optional Summary -- of the larger of inner and outer gap per report, ns
      , missed_events : Natural -- measured: reports the ring buffer lost
      }

let HwlatStep =
      { facts : RunFacts -- what the run stands on
      , body : HwlatBody -- what it measured
      }

let NoiseWorker =
      { cpu : Natural -- measured: CPU it ran on, read back
      , node : Optional Natural -- measured: NUMA node of that CPU
      , stream : Text -- measured: name of its stream of samples
      , summary : Optional Summary -- of the quanta, in ns
      , noise_ratio : Optional Double -- derived: 1 - n x min / sum: share of the time beyond the shortest quantum
      , wall_ns : Natural -- measured: first to last clock read, on CLOCK_MONOTONIC_RAW
      , sum_to_wall : Optional Double -- measured: sum of the samples over wall_ns
      , worst_ns : Optional Double -- derived: longest quantum minus the shortest
      , repeat_below_ratio : Optional Double -- derived: 95th percentile of the relative difference of neighbouring blocks
      , minor_faults : Natural -- measured: page faults between first and last sample
      , involuntary_switches : Natural -- measured: context switches forced on it
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

let NoiseBody =
      { kernel : Text -- declared: kind of work
      , work : Natural -- declared: iterations per quantum
      , quantum_ns : Optional Double -- declared: quantum that the work was chosen for; None: work was given
      , workers : List NoiseWorker -- one per stream
      , noise_ratio : Optional Double -- derived: over all workers: 1 - sum of n x min over sum of all quanta
      , worst_detour_ns : Optional Double -- derived: largest worst_ns of all workers
      , worst_cpu : Optional Natural -- derived: CPU of that detour
      , block_ns : Natural -- declared: length of the blocks that repeat_below_ratio compares
      , repeat_below_ratio : Optional Double -- derived: largest of all workers: differences below it need repeats
      , causes : Optional Causes -- what the noise was; None: not asked for (--why)
      }

let NoiseStep =
      { facts : RunFacts -- what the run stands on
      , body : NoiseBody -- what it measured
      }

let WakeMethod =
      < nanosleep | timerfd | deadline >

let WakeWorker =
      { cpu : Natural -- measured: CPU it ran on, read back
      , lateness_stream : Text -- measured: name of its stream of lateness
      , wake_stream : Text -- measured: name of its stream of wake-up instants
      , due : Natural -- measured: deadlines that passed
      , recorded : Natural -- measured: activations recorded
      , missed : Natural -- measured: activations that never happened
      , holes : Natural -- measured: runs of missed activations
      , interrupted : Natural -- measured: sleeps that returned early and were retried
      , lateness : Optional Summary -- wake-up minus deadline, ns
      , interval : Optional Summary -- between consecutive wake-ups, ns
      , jitter : Optional Summary -- distance of an interval from the period, ns
      , conforms : Optional Bool -- derived: every interval within the budget, none missing; None: not decidable
      , over_jitter : Natural -- derived: intervals beyond max_jitter_ns
      , over_latency : Natural -- derived: intervals beyond max_latency_ns
      , worst_lateness_ns : Optional Double -- derived: largest lateness
      , worst_interval_ns : Optional Double -- derived: longest interval
      }

let WakeBody =
      { period_ns : Natural -- declared: period asked for
      , method : WakeMethod -- declared: how it slept
      , budget : TimingBudget -- limits it was judged against
      , workers : List WakeWorker -- one per CPU
      , jitter : Optional Summary -- over all workers: distance of an interval from the period, ns
      , conforms : Optional Bool -- derived: every worker conforms; None: not decidable
      }

let WakeStep =
      { facts : RunFacts -- what the run stands on
      , body : WakeBody -- what it measured
      }

let Placement =
      < flat | local | interleave | remote >

let NumaBandwidth =
      { cpu_node : Natural -- measured: node of the reading CPUs
      , mem_node : Natural -- measured: node of the memory
      , bytes : Natural -- declared: bytes read per repetition
      , bytes_per_s : Optional Double -- derived: bytes over the median time
      , summary : Optional Summary -- time of one repetition, ns
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

let NumaStep =
      { facts : RunFacts -- what the run stands on
      , body : NumaBody -- what it measured
      }

let ClockRead =
      { name : Text -- declared: way to read a clock
      , summary : Optional Summary -- between back-to-back reads, ns
      }

let ClockSkew =
      { cpu : Natural -- measured: CPU; the first is the reference
      , offset_ns : Double -- measured: against the reference: middle of the bounds
      , uncertainty_ns : Double -- measured: half the distance of the bounds
      }

let ClockBody =
      { clock : Clock -- the counter and its calibration
      , reads : List ClockRead -- cost per way to read
      , skew : List ClockSkew -- per measured CPU
      , drift_ppm : Optional Double -- measured: against CLOCK_MONOTONIC_RAW
      , drift_error_ppm : Optional Double -- measured: standard error of the drift
      }

let ClockStep =
      { facts : RunFacts -- what the run stands on
      , body : ClockBody -- what it measured
      }

let WindowRun =
      { schema : Text -- declared: WindowRun/1
      , head : Head -- who, where, when, with what
      , profile : Profile -- declared: how long each step was asked to take
      , budget : TimingBudget -- limits
      , headline : Headline -- the answer in short
      , steps : List Step -- every step in the order it ran, also those that could not
      , smi : List SmiStep -- one per SMI sample
      , hwlat : List HwlatStep -- one per hwlat sample
      , noise : Optional NoiseStep -- fixed work quanta
      , wake : Optional WakeStep -- periodic wake-ups
      , numa : List NumaStep -- one per NUMA sample
      , clock : Optional ClockStep -- clocks
      , host_probe_runs : List FileRef -- HostProbeRun records written beside this one
      , host_probe_reason : Optional Text -- derived: why none was written
      , load_note : Optional Text -- measured: how the load of --under ended, where it ended by itself
      }

let NoiseRun =
      { schema : Text -- declared: NoiseRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : NoiseBody -- what it measured
      }

let FtqLine =
      { hz : Double -- derived: frequency; of the fundamental, where harmonics were found
      , share_ratio : Double -- derived: its part of the variance of the units per quantum
      , with_harmonics_ratio : Double -- derived: the same with its harmonics
      , harmonics : Natural -- derived: peaks that are harmonics of it
      , folded : Natural -- derived: of them, above nyquist_hz: seen folded back
      , floor_ratio : Double -- derived: its bin over the noise around it
      , chance : Double -- derived: of such a bin, or of such teeth, anywhere in noise alone
      , teeth : Natural -- derived: multiples of it, itself included, that stand out together; 0: its own bin does
      , kernel_tick : Bool -- derived: within half a hertz and a bin of the tick that the kernel was configured for
      }

let FtqSpectrum =
      { used : Natural -- derived: quanta it is of: the first so many, an even number without prime factors over 5
      , bin_hz : Double -- derived: resolution
      , nyquist_hz : Double -- derived: half the rate of the quanta: what is faster appears folded back below it
      , lowest_hz : Double -- derived: below it nothing can be told from noise
      , variance : Double -- derived: of the units per quantum under the window
      , window : Text -- declared: weights of the quanta
      , level : Double -- declared: largest chance of a line in noise alone, in one spectrum
      , peaks : Natural -- derived: peaks that stand out, harmonics included
      , lines_found : Natural -- derived: fundamentals among them; the first of them are in lines
      , named_ratio : Double -- derived: part of the variance that lines stands for
      , lines : List FtqLine -- by with_harmonics_ratio; none: no frequency stands out
      }

let FtqWorker =
      { cpu : Natural -- measured: CPU it ran on, read back
      , node : Optional Natural -- measured: NUMA node of that CPU
      , stream : Text -- measured: name of its stream of units per quantum
      , overshoot_stream : Text -- measured: name of its stream of overshoots
      , quanta : Natural -- measured: quanta that ended
      , empty : Natural -- derived: of them, without a unit: an interruption longer than a quantum
      , units : Optional Summary -- of the units per quantum
      , overshoot : Optional Summary -- of the time from the end of a quantum to the first clock read after it, in ns
      , lost_ratio : Optional Double -- derived: 1 - mean / max of the units per quantum: share of the best quantum's work that was lost; None: no unit
      , spectrum : Optional FtqSpectrum -- None: too few quanta, or all alike
      , no_spectrum : Optional Text -- derived: why there is none
      , wall_ns : Natural -- measured: the whole of it, on CLOCK_MONOTONIC_RAW
      , minor_faults : Natural -- measured: page faults meanwhile
      , involuntary_switches : Natural -- measured: context switches forced on it
      }

let FtqBody =
      { kernel : Text -- declared: kind of work
      , work : Natural -- declared: iterations per unit
      , unit_asked_ns : Double -- declared: time of a unit that the work was chosen for
      , unit_ns : Double -- measured: time of a unit with its clock read, when the work was chosen
      , quantum_asked_ns : Double -- declared: quantum asked for
      , quantum_ticks : Natural -- declared: quantum in whole ticks of the clock
      , quantum_ns : Double -- derived: the same in ns
      , kernel_tick_hz : Optional Natural -- measured: frequency of the kernel's tick by its configuration; it may stand still on some CPUs
      , workers : List FtqWorker -- one per CPU
      , lost_ratio : Optional Double -- derived: largest of all CPUs
      , worst_cpu : Optional Natural -- derived: CPU of that
      }

let FtqRun =
      { schema : Text -- declared: FtqRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : FtqBody -- what it measured
      }

let DetourWorker =
      { cpu : Natural -- measured: CPU it ran on, read back
      , node : Optional Natural -- measured: NUMA node of that CPU
      , start_stream : Text -- measured: name of its stream of starts
      , stream : Text -- measured: name of its stream of lengths
      , loop_min_ns : Optional Double -- measured: shortest gap between two reads of the clock; None: stopped before
      , smallest_ns : Optional Double -- measured: smallest detectable detour: shortest gap of the warm-up + clock step; None: stopped before
      , threshold_ns : Double -- measured: a longer gap is a detour; in whole ticks
      , reads : Natural -- measured: reads of the clock after the first
      , detours : Natural -- measured: detours, with those that were dropped
      , detoured_ns : Double -- measured: sum of the lengths of all detours
      , longest_ns : Optional Double -- measured: longest of all detours; None: there was none
      , span_ns : Double -- measured: first to last read, on the clock of the loop
      , wall_ns : Natural -- measured: the same on CLOCK_MONOTONIC_RAW, read right outside
      , span_to_wall : Optional Double -- derived: span_ns over wall_ns
      , noise_ratio : Optional Double -- derived: detoured_ns over span_ns
      , per_s : Optional Double -- derived: detours per second of span_ns
      , lengths : Optional Summary -- of the detours kept, in ns; None: none
      , rate : Optional Summary -- detours that start in each full second; None: no full second, or some were dropped
      , minor_faults : Natural -- measured: page faults between first and last read
      , involuntary_switches : Natural -- measured: context switches forced on it
      }

let DetourLengths =
      { from_ns : Natural -- declared: shortest length of this row
      , below_ns : Natural -- declared: lengths of this row are shorter
      , count : Natural -- derived: detours kept of such length
      , total_ns : Double -- derived: sum of their lengths
      , per_s : Double -- derived: count per second of the CPUs' measured time
      , share_ratio : Double -- derived: total_ns over the CPUs' measured time
      }

let DetourBody =
      { threshold_asked_ns : Optional Double -- declared: threshold asked for; None: a multiple of smallest_ns, per CPU
      , threshold_factor : Natural -- declared: that multiple
      , workers : List DetourWorker -- one per CPU
      , lengths : List DetourLengths -- detours kept of all CPUs by length, from the shortest to the longest
      , detours : Natural -- derived: of all CPUs, with those that were dropped
      , noise_ratio : Optional Double -- derived: over all CPUs: sum of detoured_ns over sum of span_ns
      , per_s : Optional Double -- derived: over all CPUs: detours per second of the sum of span_ns
      , longest_ns : Optional Double -- derived: largest longest_ns of all CPUs
      , longest_cpu : Optional Natural -- derived: CPU of that detour
      , causes : Optional Causes -- what the detours were; None: not asked for (--why)
      }

let DetourRun =
      { schema : Text -- declared: DetourRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : DetourBody -- what it measured
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

let WakeRun =
      { schema : Text -- declared: WakeRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : WakeBody -- what it measured
      }

let NumaRun =
      { schema : Text -- declared: NumaRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : NumaBody -- what it measured
      }

let SmiRun =
      { schema : Text -- declared: SmiRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : SmiBody -- what it measured
      }

let HwlatRun =
      { schema : Text -- declared: HwlatRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : HwlatBody -- what it measured
      }

let OsnoiseCpu =
      { cpu : Natural -- derived: CPU of these periods
      , periods : Natural -- derived: periods reported
      , runtime_ns : Natural -- derived: time that the tracer looked
      , noise_ns : Natural -- derived: of it lost
      , available_ratio : Optional Double -- derived: 1 - noise_ns over runtime_ns
      , longest_ns : Natural -- derived: longest single noise; 0: none
      , hw : Natural -- derived: noise in which nothing of the kernel's ran: firmware or a hypervisor
      , nmi : Natural -- derived: non-maskable interrupts
      , irq : Natural -- derived: interrupts
      , softirq : Natural -- derived: softirqs
      , thread : Natural -- derived: threads
      }

let OsnoiseSource =
      < hardware | nmi | irq | softirq | thread >

let OsnoiseCause =
      { source : OsnoiseSource -- measured: what kind of interruption
      , name : Text -- measured: interrupt, softirq or thread; empty: it has no name
      , count : Natural -- measured: of all CPUs
      , total_ns : Natural -- measured: sum of their durations, each without what interrupted it in turn
      , longest_ns : Natural -- measured: longest
      }

let OsnoiseBody =
      { period_us : Natural -- measured: period in force
      , runtime_us : Natural -- measured: time spent looking per period, in force
      , threshold_us : Natural -- measured: shortest noise counted, in force; 0: the kernel's own default
      , stop_us : Natural -- measured: recording ends at a single noise over this; 0: no limit
      , stop_total_us : Natural -- measured: recording ends at a period with more noise; 0: no limit
      , at_limit : Bool -- measured: recording ended so
      , cpus : List OsnoiseCpu -- per CPU that reported
      , noise : Optional Summary -- per period of all CPUs, ns
      , longest : Optional Summary -- longest single noise per period of all CPUs, ns
      , noise_ratio : Optional Double -- derived: sum of noise over sum of runtime of all CPUs
      , longest_ns : Optional Natural -- derived: longest single noise of all CPUs; None: no report
      , longest_cpu : Optional Natural -- derived: CPU of that noise
      , causes_traced : Bool -- measured: each interruption was recorded
      , causes : List OsnoiseCause -- interruptions by source, then by their total
      , causes_left_out : Natural -- measured: interruptions with more names than there is room for
      , missed_events : Natural -- measured: records the ring buffer lost
      }

let OsnoiseRun =
      { schema : Text -- declared: OsnoiseRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : OsnoiseBody -- what it measured
      }

let TimerlatCpu =
      { cpu : Natural -- measured: CPU of these activations
      , irq_stream : Text -- measured: name of its stream of interrupt latencies
      , thread_stream : Text -- measured: name of its stream of thread latencies
      , missed : Natural -- measured: activations that left no record of their interrupt
      , irq : Optional Summary -- timer set to, until its interrupt handler ran, ns
      , thread : Optional Summary -- timer set to, until the thread that it woke ran, ns
      , worst_irq_ns : Optional Double -- derived: latest interrupt
      , worst_thread_ns : Optional Double -- derived: latest thread
      }

let TimerlatBody =
      { period_us : Natural -- measured: period in force
      , stop_irq_us : Natural -- measured: recording ends at an interrupt later than this; 0: no limit
      , stop_thread_us : Natural -- measured: recording ends at a thread later than this; 0: no limit
      , at_limit : Bool -- measured: recording ended so
      , cpus : List TimerlatCpu -- per CPU
      , worst_irq_ns : Optional Double -- derived: latest interrupt of all CPUs
      , worst_thread_ns : Optional Double -- derived: latest thread of all CPUs
      , worst_cpu : Optional Natural -- derived: CPU of the latest thread
      , missed_events : Natural -- measured: records the ring buffer lost
      }

let TimerlatRun =
      { schema : Text -- declared: TimerlatRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : TimerlatBody -- what it measured
      }

let ClockRun =
      { schema : Text -- declared: ClockRun/1
      , head : Head -- who, where, when, with what
      , facts : RunFacts -- what the run stands on
      , body : ClockBody -- what it measured
      }

let InjectPlan =
      { cpu : Natural -- declared: CPU that bursts are injected into, and that is measured
      , period_ns : Natural -- declared: from one burst to the next
      , length_ns : Natural -- declared: of a burst
      , phase_ns : Natural -- declared: of the first burst after the grid's origin
      , phase_drawn : Bool -- declared: the phase was drawn from the seed, not given
      , duration_ns : Natural -- declared: of each pass
      , min_recall_ratio : Double -- declared: share of the bursts that a probe has to see
      , alpha : Double -- declared: level of the test whether a phase is preferred
      }

let InjectBursts =
      { policy : Policy -- measured: scheduling policy in force
      , priority : Natural -- measured: realtime priority in force, else 0
      , made : Natural -- measured: bursts made and kept
      , dropped : Natural -- measured: made and not kept: the log was full
      , late : Natural -- measured: begun after they were due because an earlier one ran
      , skipped : Natural -- measured: never made: the next was due before they could begin
      , locked : Bool -- measured: the log was locked in memory
      , length : Optional Summary -- end minus begin on the tick clock, ns
      , lateness : Optional Summary -- begin minus the instant it was due, ns
      }

let InjectFound =
      { bursts : Natural -- derived: wholly within the span that the probe looked at
      , outside : Natural -- derived: before, after or across the ends of that span
      , found : Natural -- derived: bursts that some hit overlaps
      , recall_ratio : Optional Double -- derived: found over bursts; None: no bursts
      , recall_lo : Optional Double -- derived: lower end of the exact 95 % interval of the recall (Clopper and Pearson), bursts taken as independent
      , recall_hi : Optional Double -- derived: upper end
      , enclosed : Natural -- derived: found by a hit that begins no later and ends no earlier than the burst
      , begin_late : Natural -- derived: found, but the hit begins after the burst
      , end_early : Natural -- derived: found, but the hit ends before the burst
      , shared : Natural -- derived: hits that overlap more than one burst
      , hits : Natural -- derived: all hits of the probe
      , hits_on_bursts : Natural -- derived: hits that overlap a burst
      , hits_on_bursts_ratio : Optional Double -- derived: hits_on_bursts over hits: every other interruption of the machine lowers it
      , begin_error : Optional Summary -- begin of the hit minus begin of its burst, ns
      , excess : Optional Summary -- what the probe lost beyond the burst's length, ns: two switches, and what came with them
      }

let InjectChance =
      { shift_ns : Double -- derived: the bursts of the other pass, so much later: the fewest whole periods that are no less than from its first sample to this pass's
      , bursts : Natural -- derived: of those, wholly within the span that the probe looked at
      , covered : Natural -- derived: of those, that some hit overlaps
      , recall_by_chance_ratio : Optional Double -- derived: covered over bursts: the recall that hits have which know of no burst; None: no bursts
      }

let InjectPhase =
      { windows : Natural -- derived: equal windows that a period is cut into; the first is the injected one
      , lead_ns : Double -- derived: the injected window begins so long before a burst is due
      , width_ns : Double -- derived: length of a window
      , periods : Natural -- derived: whole periods looked at
      , hits : Natural -- derived: hits that begin in them
      , injected : Natural -- derived: of those, in the injected window
      , most : Natural -- derived: in the fullest of the other windows
      , rate_ratio : Optional Double -- derived: injected over the mean of the other windows; None: those are empty
      , p_rank : Double -- derived: share of the windows, the injected one included, with no fewer hits than it: one-sided randomisation test
      , p_binomial : Double -- derived: P(X >= injected), X binomial (hits, 1 / windows): one-sided, exact where hits are independent
      , preferred : Bool -- derived: p_rank is at most alpha: hits prefer the injected phase
      , on_bursts : Natural -- derived: hits in the injected window that overlap a burst
      , precision_ratio : Optional Double -- derived: on_bursts over injected; None: the window is empty or nothing was injected
      }

let InjectPass =
      { facts : RunFacts -- what the run stands on
      , tick_hz : Double -- measured: rate of the clock that bursts and samples share
      , before_tick : Integer -- measured: the clock before the run, from the first sample on
      , before_ns : Integer -- measured: CLOCK_MONOTONIC then, from the grid's origin on
      , after_tick : Integer -- measured: the clock after the run, from the first sample on
      , after_ns : Integer -- measured: CLOCK_MONOTONIC then, from the grid's origin on
      , span_ticks : Natural -- measured: length of what the probe looked at, from its first sample
      , threshold_ticks : Natural -- declared: a gap, or a quantum beyond the shortest, is a hit when it is longer
      , bursts : Optional InjectBursts -- what was injected; None: nothing
      , found : Optional InjectFound -- what the probe saw of it; None: nothing was injected
      , chance : Optional InjectChance -- what hits cover by chance; None: bursts were injected
      , phase : Optional InjectPhase -- where in the period hits begin; None: no whole period was looked at
      }

let InjectProbe =
      { probe : Text -- declared: name
      , hit : Text -- declared: what is taken for a hit
      , result : Result -- derived: verdict on this probe
      , reason : Optional Text -- derived: why it is not pass
      , caution : Optional Text -- derived: why the recall says little, whatever the verdict; None: it does not
      , injected : Optional InjectPass -- with bursts; None: it could not run, or was not reached
      , control : Optional InjectPass -- without bursts; None: it could not run, or was not reached
      }

let InjectRun =
      { schema : Text -- declared: InjectRun/1
      , head : Head -- who, where, when, with what
      , plan : InjectPlan -- what was injected and demanded
      , probes : List InjectProbe -- in the order they ran
      }

let AuditTarget =
      < unknown | terminal | serial | pipe | file | socket | device | null | other >

let AuditIo =
      { rchar : Natural -- measured: bytes that read() and its like returned
      , wchar : Natural -- measured: bytes given to write() and its like; not send() to a socket
      , syscr : Natural -- measured: calls that read
      , syscw : Natural -- measured: calls that write
      , read_bytes : Natural -- measured: fetched from storage
      , write_bytes : Natural -- measured: sent to storage, page by page
      , cancelled_write_bytes : Natural -- measured: of those never written
      }

let AuditSums =
      { entered : Natural -- measured: times it was begun
      , ended : Natural -- measured: times it was ended in the thread that began it: what the sums are of
      , abandoned : Natural -- measured: times it was begun again, or an outer region ended, before it was
      , unread : Natural -- measured: ended, but the kernel told nothing
      , with_io : Natural -- measured: ended with any I/O
      , first_io : Optional Natural -- measured: the first of those, counted from 1
      , wall_ns : Natural -- measured: on CLOCK_MONOTONIC_RAW, without what the audit did for regions inside it
      , min_ns : Optional Natural -- measured: shortest time; None: it was never ended
      , max_ns : Optional Natural -- measured: longest time
      , audit_ns : Natural -- measured: what its marks took, beside wall_ns
      , user_ns : Natural -- measured: CPU time of the thread in user mode; the kernel tells it by its ticks
      , system_ns : Natural -- measured: CPU time of the thread in the kernel; by ticks too
      , minor_faults : Natural -- measured: page faults without I/O
      , major_faults : Natural -- measured: page faults with I/O
      , voluntary_switches : Natural -- measured: context switches that the thread asked for
      , involuntary_switches : Natural -- measured: context switches forced on it
      , io : AuditIo -- of the thread
      , others_wchar : Natural -- measured: bytes written meanwhile by other threads of the process and by children it waited for
      , others_syscw : Natural -- measured: their calls
      , buffered_bytes : Natural -- measured: put into the buffers of stdout and stderr and written later
      , flushed_bytes : Natural -- measured: written that were in those buffers before
      }

let AuditRegion =
      { name : Text -- declared: as the program calls it
      , sums : AuditSums -- over all times
      , net_ns : Double -- derived: wall_ns less as many empty regions took
      , has_io : Bool -- derived: with_io, or a call of the trace that is I/O: a finding
      , complete : Bool -- derived: every time was measured
      , console_bytes : Natural -- derived: wchar, and buffered_bytes less flushed_bytes where that is more, and others_wchar
      , console_ns : Double -- derived: console_bytes * 10 / baud: what they take on a serial console
      , console_ratio : Optional Double -- derived: console_ns over net_ns; None: no time was measured
      , kernel_ratio : Optional Double -- derived: system_ns, less that of as many empty regions, over net_ns; None: too few ticks of CPU time to tell
      , overhead_ratio : Optional Double -- derived: audit_ns over net_ns
      , warnings : List Text -- derived: what a reader must know of it
      }

let AuditCall =
      { region : Optional Text -- declared: which region; None: outside of all
      , others : Bool -- measured: by another thread, or by a process that it started
      , call : Text -- measured: system call
      , is_io : Bool -- measured: it moves bytes
      , is_write : Bool -- measured: it moves them out
      , target : Optional Text -- measured: file that it used; None: it has none
      , target_kind : AuditTarget -- measured: what that is
      , calls : Natural -- measured: how many
      , failed : Natural -- measured: of those
      , bytes : Natural -- measured: moved; 0 where the call does not tell
      , console_ns : Optional Double -- derived: bytes written * 10 / baud, whatever the target; None: nothing is written
      }

let AuditTrace =
      { refused : Optional Text -- measured: why there is none; None: there is one
      , wait_status : Optional Integer -- measured: as wait() gives it
      , calls : List AuditCall -- in regions all, outside those that write
      , rows_lost : Natural -- measured: calls for which there was no row
      , regions_lost : Natural -- measured: begins for which there was no room
      , foreign : Natural -- measured: calls of a program of another architecture: not decoded
      }

let AuditRun =
      { schema : Text -- declared: AuditRun/1
      , head : Head -- who, where, when, with what
      , argv : List Text -- declared: command, one word each
      , baud : Natural -- declared: of the console that writes are priced for: 10 bits a byte
      , stdout_kind : AuditTarget -- measured: what the command's standard output was
      , stderr_kind : AuditTarget -- measured: what its standard error was
      , wait_status : Optional Integer -- measured: of the command, as wait() gives it
      , failure : Optional Text -- measured: why the command failed; None: it did not, or was stopped
      , wall_ns : Natural -- measured: of the command
      , processes : Natural -- measured: that began a region
      , stray_ends : Natural -- measured: regions ended in a thread that had not begun them
      , too_deep : Natural -- measured: begins beyond the depth that is kept
      , lost : Natural -- measured: begins for which there was no room
      , empty : AuditSums -- regions with nothing in them, measured before each process's first
      , regions : List AuditRegion -- the most expensive on a console first
      , trace : Optional AuditTrace -- the second execution; None: it was not asked for
      , findings : Natural -- derived: regions with I/O
      , complete : Bool -- derived: every time of every region was measured, and the trace saw every call
      }

let PortKind =
      < serial | pty | unix | tcp >

let ConsolePort =
      { kind : PortKind -- declared: what it is
      , name : Text -- declared: as it was opened
      , device : Optional Text -- measured: device, links followed; None: a socket
      , by_path : Optional Text -- measured: its name below /dev/serial/by-path; None: it has none
      , driver : Optional Text -- measured: kernel driver; None: unknown
      , baud : Optional Natural -- measured: what the driver says it runs at; None: a socket
      , latency_timer_ms : Optional Natural -- measured: how long an FTDI adapter keeps bytes back; None: no such adapter, or unknown
      , delay_ns : Optional Natural -- derived: longest way of a byte from the wire to where it can be read: adapter or FIFO; None: unknown
      , carrier : Optional Bool -- measured: modem line DCD at the beginning; None: there is none
      , clear_to_send : Optional Bool -- measured: modem line CTS at the beginning
      , data_set_ready : Optional Bool -- measured: modem line DSR at the beginning
      }

let ConsoleErrors =
      { overrun : Natural -- measured: bytes lost in the UART: its FIFO was full
      , buf_overrun : Natural -- measured: bytes lost in the kernel: its buffer was full
      , frame : Natural -- measured: bytes without a stop bit: noise, or another rate
      , parity : Natural -- measured: bytes with a wrong parity bit
      , breaks : Natural -- measured: breaks on the line
      , bytes : Natural -- measured: bytes received
      }

let ConsoleLines =
      { lines : Natural -- derived: lines, the unterminated one at the end included
      , lf : Natural -- derived: ended by LF
      , lfcr : Natural -- derived: of those, by LF CR
      , crlf : Natural -- derived: ended by CR LF
      , crcrlf : Natural -- derived: ended by several CR and LF
      , unterminated : Natural -- derived: without an ending
      , replaced : Natural -- derived: times that a text was replaced: lone CR, backspace, erasing
      , replaced_bytes : Natural -- derived: bytes of text that are gone that way
      , cut : Natural -- derived: lines longer than the limit
      , cut_bytes : Natural -- derived: bytes of text beyond it
      , nul : Natural -- derived: NUL bytes
      , bad_utf8 : Natural -- derived: broken UTF-8 sequences
      , controls : Natural -- derived: control characters and sequences
      , control_bytes : Natural -- derived: bytes of them
      }

let ConsoleRun =
      { schema : Text -- declared: ConsoleRun/1
      , head : Head -- who, where, when, with what
      , port : ConsolePort -- the port
      , errors : Optional ConsoleErrors -- what the UART's driver counted; None: it counts nothing
      , interactive : Bool -- declared: what was typed went to the board
      , bytes_typed : Natural -- measured: bytes that went to the board
      , limit_bytes : Natural -- declared: longest text of a line
      , epoch_utc : Text -- measured: date where the capture's time is 0, RFC 3339 UTC
      , wall_ns : Natural -- measured: how long was captured
      , bytes : Natural -- measured: bytes that came
      , reads : Natural -- measured: reads that they came in
      , lines : ConsoleLines -- what they hold
      , interval_mean_ns : Optional Double -- derived: mean width, over all lines but the waiting ones, of the interval that holds the time of the first byte; None: no lines
      , interval_max_ns : Optional Double -- derived: the widest
      , waiting : Natural -- measured: lines that were there before the capture began: their intervals have no lower end
      , files : List FileRef -- the bytes and their index
      }

let PortListened =
      { baud : Optional Natural -- declared: rate of the port meanwhile; None: it has none
      , wall_ns : Natural -- measured: how long it was listened to
      , bytes : Natural -- measured: bytes that came; at most 3 of an incomplete character are not counted
      , text_bytes : Natural -- derived: of them: printable characters of UTF-8, blanks, line ends, BEL, BS, ESC
      }

let PortRate =
      < unknown | not_applicable | silent | none_fits | another | as_given >

let PowerState =
      < unknown | off | on >

let PortPower =
      { driver : Text -- declared: what switches the power
      , state : PowerState -- measured: what the switch says
      , trouble : Optional Text -- measured: why it could not be asked; None: it answered, or is one that cannot be asked
      }

let PortCheck =
      { schema : Text -- declared: PortCheck/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , checked_utc : Text -- measured: RFC 3339 UTC
      , board : Optional Text -- declared: the board's name in its campaign file; None: a port was named
      , port : ConsolePort -- the port
      , by_id : Optional Text -- measured: its name below /dev/serial/by-id; None: it has none
      , trouble : Optional Text -- measured: why it could not be listened to, and who holds it; None: it could
      , waiting_bytes : Natural -- measured: bytes that had come before it was opened: at what rate is unknown, so they are no evidence
      , listened : Optional PortListened -- what came, at the rate that was given; None: it could not be opened
      , last_line : Optional Text -- measured: the last text that came; None: none did
      , errors : Optional ConsoleErrors -- what the UART's driver counted meanwhile; None: it counts nothing
      , tried : List PortListened -- other rates that were tried, in order
      , rate : PortRate -- derived: whether the rate that was given is the board's
      , rate_baud : Optional Natural -- derived: the rate at which it reads as text; None: unknown
      , power : Optional PortPower -- the power switch; None: a port was named
      , findings : List Text -- derived: what is wrong, one sentence each
      , advice : List Text -- derived: what would make it better
      , udev_rules : List Text -- derived: lines for a file in /etc/udev/rules.d that do so
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let BootPattern =
      { name : Text -- declared: what it is called
      , pattern : Text -- declared: regular expression (PCRE2), unanchored
      , unit : Optional Text -- declared: of the value it finds; None: it is no value, or a plain number
      , config : Optional Text -- declared: configuration that it is of; None: of all
      }

let AuditLogPhase =
      { path : Text -- declared: log or capture
      , sha256 : Optional Text -- measured: of the log, or of the capture's raw bytes, 64 hex digits
      , config : Text -- declared: configuration it belongs to
      , run : Natural -- declared: of that configuration; 0: no name tells
      , phase : Text -- derived: from..to
      , baud : Natural -- declared: that UART times are of
      , baud_why : Text -- measured: option, capture, kernel command line, or assumed
      , duration_s : Optional Double -- measured: None: one end was not seen; below 0: the other order
      , resolution_s : Optional Double -- derived: finest difference that the stamps tell; None: unknown
      , lines : Natural -- measured: with a byte in it
      , bytes : Natural -- measured: from match to match; of an imported log two a line for the line's end
      , uart_s : Double -- derived: 10 x bytes / baud
      , uart_ratio : Optional Double -- derived: uart_s over duration_s; None: there is no duration
      }

let AuditLogLine =
      { phase : Text -- derived: from..to
      , text : Text -- measured: beginning of the first of them
      , path : Text -- declared: log that it stands in
      , line : Natural -- measured: its line there, counted from 1
      , times : Natural -- measured: how many there are, in all logs
      , logs : Natural -- measured: logs that have any
      , bytes : Natural -- measured: of all of them
      , uart_s : Double -- derived: of all of them: 10 x bytes / baud of each log
      , per_log_s : Double -- derived: uart_s / logs: what the lines are ordered by
      , ratio : Optional Double -- derived: uart_s over that phase's duration in the logs that have any; None: it has none
      }

let AuditLog =
      { schema : Text -- declared: AuditLog/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , t0 : Optional Text -- declared: pattern of the beginning; None: the first line
      , patterns : List BootPattern -- of the phases, in the order they were given
      , phases : List AuditLogPhase -- log by log
      , lines : List AuditLogLine -- the most expensive first
      , lines_found : Natural -- measured: kinds of line inside phases, before they were cut to the most expensive
      , lines_lost : Natural -- measured: lines for which there was no room: they are in phases, not in lines
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
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

let BenchBackend =
      < builtin | command | report >

let MemoryMethod =
      < unknown | cgroup | pss | rss >

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

let BenchRun =
      { schema : Text -- declared: BenchRun/1
      , head : Head -- who, where, when, with what
      , plan : BenchPlan -- how much was to be measured
      , variants : List BenchVariant -- what was measured
      , sets : List BenchSet -- in the order they ran
      }

let BenchRule =
      { delta_ratio : Double -- declared: slowdown that does not matter
      , alpha : Double -- declared: family-wise error of the run
      , looks : Natural -- declared: planned looks at the data, each at alpha / looks
      , looks_taken : Natural -- measured: of those
      , min_pairs : Natural -- derived: fewest pairs with which the test can find anything
      , null_fired : Optional Bool -- derived: old against old was found different: nothing is decided; None: there was no null row
      }

let BenchVerdict =
      < inconclusive | same | regressed | improved | new | gone | failed >

let BenchComparison =
      { name : Text -- declared: of the benchmark
      , old_variant : Optional Natural -- declared: which, counted from 0; None: the old side does not have it, NEW
      , new_variant : Optional Natural -- declared: which, counted from 0; None: the new side does not have it, GONE
      , is_null : Bool -- declared: old against old: outside the family
      , pairs : Natural -- measured: in the comparison
      , pairs_discarded : Natural -- derived: in blocks that the system disturbed, whichever the variant
      , old_median : Optional Double -- derived: median of set medians, of the pairs in the comparison
      , new_median : Optional Double -- derived: median of set medians
      , ratio : Optional Double -- derived: new over old: exp of the Hodges-Lehmann estimate of the pairs' log ratios
      , ratio_lo : Optional Double -- derived: signed-rank interval at level 1 - 2 alpha; None: too few pairs
      , ratio_hi : Optional Double -- derived: its upper end
      , ranks_ratio : Optional Double -- derived: the same without the pairs: two-sample Hodges-Lehmann
      , ranks_lo : Optional Double -- derived: its interval
      , ranks_hi : Optional Double -- derived: its upper end
      , sd_ln : Optional Double -- derived: standard deviation of the pairs' log ratios
      , p_slower : Optional Double -- derived: of a slowdown beyond delta: twice the smaller of the two below, at most 1
      , p_slower_pairs : Optional Double -- derived: one-sided signed-rank test
      , p_slower_ranks : Optional Double -- derived: one-sided Mann-Whitney test
      , p_faster : Optional Double -- derived: mirrored
      , p_faster_pairs : Optional Double -- derived: mirrored
      , p_faster_ranks : Optional Double -- derived: mirrored
      , p : Optional Double -- derived: the smaller of p_slower and p_faster
      , p_holm : Optional Double -- derived: adjusted over the run
      , p_bh : Optional Double -- derived: Benjamini-Hochberg: marks tables at 0.05
      , mde_ratio : Optional Double -- derived: smallest slowdown that would have been found with probability 0.8
      , set_cv_ratio : Optional Double -- derived: of the set medians: the root of the mean of the two variants' squares
      , same_ratio : Optional Double -- derived: share of runs like this one that would find SAME, were there no difference
      , verdict : BenchVerdict -- derived: what follows
      , failure : Optional Text -- measured: which side failed and how
      }

let BenchCompare =
      { schema : Text -- declared: BenchCompare/1
      , head : Head -- who, where, when, with what
      , plan : BenchPlan -- how much was to be measured
      , rule : BenchRule -- by what it is decided
      , variants : List BenchVariant -- what was measured
      , sets : List BenchSet -- in the order they ran
      , comparisons : List BenchComparison -- old against new
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

let BenchMachine =
      { machine_hash : Optional Text -- measured: application-specific hash of machine-id and DMI product
      , cpu_model : Optional Text -- measured: model name of its CPUs
      , cpus_online : Optional Text -- measured: online CPUs
      , platform_kind : Optional Text -- measured: hardware, kvm, tcg, vm or container
      }

let BenchStored =
      { bench : Text -- declared: name of the benchmark; of a command what was run, or the name it was given
      , program : Optional Text -- declared: program that holds the benchmark; None: noisefloor, or a command
      , is_command : Bool -- declared: a command: one value a set, its start included
      , threads : Optional Natural -- declared: asked for; None: the benchmark's own default
      , knobs : List Text -- declared: NAME=value of what was varied, in byte order
      , unit : Text -- measured: of the median
      , higher_is_better : Optional Bool -- measured: larger is better; None: as the unit tells, a session of before this was kept
      , sets : Natural -- measured: fresh processes that the values come from
      , iterations : Natural -- measured: values of each
      , median : Double -- derived: over all values of all sets
      , set_cv_ratio : Optional Double -- derived: standard deviation of the set medians over their mean
      }

let BenchSession =
      { finished_utc : Text -- measured: when it was stored
      , finished_unix_s : Natural -- measured: the same in seconds since 1970
      , run_id : Optional Text -- measured: run folder that holds its values
      , boot_id : Optional Text -- measured: boot it belongs to
      , kernel : Optional Text -- measured: kernel release
      , machine : BenchMachine -- fingerprint: where it was measured
      , tool_version : Text -- measured: version of noisefloor
      , tool_commit : Optional Text -- measured: commit that was built from
      , commit : Optional Text -- declared: of what was measured; None: not known
      , dirty : Optional Bool -- declared: with changes that are not in the commit; None: not known
      , medians : List BenchStored -- one a benchmark
      }

let BenchBaseline =
      { schema : Text -- declared: BenchBaseline/1
      , sessions : List BenchSession -- in the order they were stored
      }

let AaTrial =
      { repeat : Natural -- declared: which, from 0; its sets have the rows from repeat x plan.sets on
      , comparison : BenchComparison -- by itself, as in a run of one benchmark
      , expected_ratio : Optional Double -- derived: probability that sets which scatter so find it, were the noise normal
      }

let AaScore =
      { name : Text -- declared: what was compared
      , slowdown_ratio : Double -- declared: what is known of the new side
      , trials : Natural -- measured: comparisons
      , same : Natural -- derived: found SAME
      , inconclusive : Natural -- derived: not decided
      , regressed : Natural -- derived: REGRESSED
      , improved : Natural -- derived: IMPROVED
      , wrong : Natural -- derived: decided against what is known: a change that is none, IMPROVED or SAME of a slowdown
      , wrong_lo_ratio : Optional Double -- derived: 99 % lower bound of the share of wrong ones (Clopper and Pearson)
      , wrong_hi_ratio : Optional Double -- derived: 99 % upper bound
      , found : Natural -- derived: SAME where nothing differs, REGRESSED of a slowdown
      , found_lo_ratio : Optional Double -- derived: 99 % lower bound of the share of found ones
      , found_hi_ratio : Optional Double -- derived: 99 % upper bound
      , expected_ratio : Optional Double -- derived: mean of the trials' expected_ratio
      , set_cv_ratio : Optional Double -- derived: median of the trials' set_cv_ratio
      , result : Result -- derived: fail: wrong more often than alpha, or found less often than expected, each beyond its bound
      , reason : Optional Text -- derived: why it is not pass
      }

let SelftestAa =
      { schema : Text -- declared: SelftestAa/1
      , head : Head -- who, where, when, with what
      , plan : BenchPlan -- of each comparison
      , rule : BenchRule -- by what each is decided
      , repeats_asked : Natural -- declared: of each comparison
      , repeats : Natural -- derived: as many as fit plan.max_time_ns
      , variants : List BenchVariant -- two a comparison, old and new
      , sets : List BenchSet -- in the order they ran
      , trials : List AaTrial -- in the order they were decided
      , scores : List AaScore -- one a comparison
      }

let SweepForm =
      < points | grid >

let SweepKind =
      < env | arg >

let SweepKnob =
      { name : Text -- declared: of the knob
      , kind : SweepKind -- declared: environment variable, or argument that stands as {NAME}
      , values : List Text -- declared: that it has, in order of appearance
      }

let SweepProgram =
      { path : Text -- measured: executable of every point
      , sha256 : Text -- measured: of its file, before the first set
      , changed : Bool -- measured: another file stood there after the last set
      }

let SweepSession =
      { run : Text -- declared: folder of its evidence
      , started_utc : Text -- measured: its start, from which its sets' started_s count
      , boot_id : Optional Text -- measured: of the boot it ran on
      , first_set : Natural -- measured: its first set, counted from 0
      , sets : Natural -- measured: that it completed
      }

let SweepInterrupted =
      { session : Natural -- measured: in which it was begun, counted from 0
      , variant : Natural -- measured: which, counted from 0
      , row : Natural -- measured: of the schedule
      }

let SweepMark =
      < open | same | slower | faster | base | failed >

let SweepPoint =
      { label : Text -- declared: its knobs as NAME=value
      , values : List Text -- declared: of the knobs, in their order
      , variant : Natural -- declared: that it is, counted from 0
      , workers : Optional Natural -- declared: threads or workers of this point; None: nothing says
      , pairs : Natural -- measured: sets of this point with one of the base in the same row
      , pairs_discarded : Natural -- derived: in rows that the system disturbed or an interruption parted
      , median : Optional Double -- derived: median of set medians, of the pairs in the comparison
      , base_median : Optional Double -- derived: of the base, of the same pairs
      , ratio : Optional Double -- derived: point over base: exp of the Hodges-Lehmann estimate of the pairs' log ratios
      , ratio_lo : Optional Double -- derived: signed-rank interval at level 1 - 2 alpha; None: too few pairs
      , ratio_hi : Optional Double -- derived: its upper end
      , sd_ln : Optional Double -- derived: standard deviation of the pairs' log ratios
      , p_slower : Optional Double -- derived: of a slowdown beyond delta
      , p_faster : Optional Double -- derived: mirrored
      , p : Optional Double -- derived: the smaller of the two
      , p_bh : Optional Double -- derived: Benjamini-Hochberg over the points
      , p_holm : Optional Double -- derived: Holm over the points: what a claim about one of them needs
      , mde_ratio : Optional Double -- derived: smallest slowdown that would have been found with probability 0.8
      , mark : SweepMark -- derived: slower or faster: p_bh <= bh_q; same: interval within delta
      , failure : Optional Text -- measured: why it cannot be compared
      }

let BenchSweep =
      { schema : Text -- declared: BenchSweep/1
      , head : Head -- who, where, when, with what; of the last session
      , plan : BenchPlan -- how much was to be measured
      , rule : BenchRule -- by what it is compared
      , bh_q : Double -- declared: false discovery rate of the marks
      , file : Optional Text -- declared: YAML file that it was read from
      , file_sha256 : Optional Text -- measured: of that file
      , form : SweepForm -- declared: a full grid, or points that were listed
      , base : Natural -- declared: point that the others are compared with, counted from 0
      , cpus : Optional Natural -- measured: that this process may run on
      , ceilings : List Text -- derived: what the machine or the plan does not allow to conclude
      , best : Optional Natural -- derived: point with the smallest time ratio, the base included
      , worst : Optional Natural -- derived: point with the largest
      , knobs : List SweepKnob -- what was turned
      , programs : List SweepProgram -- the same at every point
      , sessions : List SweepSession -- invocations, in order
      , interrupted : List SweepInterrupted -- sets that were begun, lost with their values and run again
      , variants : List BenchVariant -- what was measured, one a point
      , sets : List BenchSet -- in the order they ran
      , points : List SweepPoint -- each against the base
      }

let BootBoard =
      { name : Text -- declared: of the board
      , campaign : Text -- declared: its campaign file, as given
      , campaign_sha256 : Text -- measured: of that file, 64 hex digits
      , console : Text -- declared: its port, as it was named
      , power_driver : Text -- declared: what switches it
      , power_end : Text -- declared: how its power ends: off, on or leave
      , power_failed : Optional Text -- measured: why it did not end so; None: it did
      , runs : Natural -- declared: that were asked for, of each configuration
      , order : Text -- declared: interleave or sequential
      , retry_infra : Natural -- declared: tries more at a run after such a failure
      , retry_board : Natural -- declared: likewise
      , `missing` : Natural -- derived: runs that have no result
      }

let BootSkipped =
      { path : Text -- declared: the file
      , why : Text -- measured: what is wrong with it
      }

let BootPlatform =
      < unknown | emulator | board >

let BootOutcome =
      < stopped | infra | board | config | ok >

let BootImage =
      { image : Text -- declared: as the bootloader asks for it
      , bytes : Natural -- measured: of the file on this machine, before power was switched
      , sha256 : Text -- measured: of the same, 64 hex digits
      }

let BootDeclared =
      { name : Text -- declared: what was set when the image was built
      , value : Text -- declared: its value
      }

let BootPort =
      { kind : Text -- measured: serial, pty, unix or tcp
      , name : Text -- measured: as it was named
      , driver : Optional Text -- measured: kernel driver of a serial port
      , latency_timer_ms : Optional Natural -- measured: of an FTDI adapter
      , delay_s : Optional Double -- measured: how long a byte may be on the way to where it can be read; None: unknown
      , overruns : Optional Natural -- measured: bytes lost by UART or kernel meanwhile; None: it does not say
      , frame_errors : Optional Natural -- measured: meanwhile
      , breaks : Optional Natural -- measured: meanwhile
      }

let BootEvent =
      { name : Text -- declared: of the phase
      , time_s : Optional Double -- measured: since t0, when the first byte of the first match at or after t0 was read; None: not seen
      , lo_s : Optional Double -- derived: the true time is not before this
      , hi_s : Optional Double -- derived: nor after this
      , line : Optional Natural -- measured: counted from 1
      , text : Optional Text -- measured: beginning of that line
      , unstamped : Bool -- measured: the line has no stamp: the time is that of the next one
      , before_t0 : Bool -- measured: a line before t0 matches, too
      }

let BootGap =
      { length_s : Double -- measured: nothing was printed for so long
      , begin_s : Double -- measured: since t0
      , ratio : Double -- derived: of the interval
      , line : Natural -- measured: the line before it, counted from 1
      , inside : Bool -- measured: it is inside that line
      , text : Text -- measured: of that line
      }

let BootGuest =
      { stamps : Natural -- measured: lines with the kernel's own stamp (printk)
      , restarts : Natural -- measured: times that its clock began anew
      , claims_s : Double -- measured: from the first of these stamps to the last, by the kernel's clock
      , host_s : Double -- measured: between the same lines, as the host saw them
      , difference_s : Double -- derived: host_s - claims_s
      , tolerance_s : Double -- derived: twice the resolution, 10 ms and 1 % of host_s
      , disagrees : Bool -- derived: they differ by more
      }

let BootInterval =
      { name : Text -- derived: from..to
      , duration_s : Optional Double -- measured: None: one end was not seen; below 0: the other order
      , lo_s : Optional Double -- derived: no shorter than this
      , hi_s : Optional Double -- derived: no longer than this
      , lines : Natural -- measured: from the line with its begin to before that with its end
      , bytes : Optional Natural -- measured: from match to match; of an imported log two a line for the line's end
      , uart_s : Optional Double -- derived: 10 x bytes / baud
      , uart_ratio : Optional Double -- derived: uart_s / duration_s
      , silence_ratio : Optional Double -- derived: gaps / duration_s
      , gaps : List BootGap -- the longest, longest first; those beyond 1.5 x resolution
      , guest : Optional BootGuest -- None: fewer than two stamps
      , faults : Natural -- measured: faults in it
      }

let BootValue =
      { name : Text -- declared: of its pattern
      , nth : Natural -- measured: of this name in this boot, counted from 1
      , section : Optional Text -- measured: that it was printed in
      , value : Double -- measured: as printed
      , unit : Optional Text -- declared: None: a plain number
      , line : Natural -- measured: counted from 1
      , interval : Optional Text -- measured: in which it was printed; None: outside
      , claims_s : Optional Double -- derived: the value in seconds; None: no time
      , host_s : Optional Double -- measured: host's time from the section's, else the interval's, begin to this line
      , fits : Optional Bool -- derived: claims_s <= host_s + resolution; None: nothing to compare with
      , counter_diff : Optional Natural -- measured: ticks printed beside it
      , counter_hz : Optional Natural -- measured: rate printed beside it
      , counter_agrees : Optional Bool -- derived: counter_diff / counter_hz in the unit, cut to the printed digits, is the value
      , text : Text -- measured: beginning of the line
      }

let BootFault =
      { kind : Text -- derived: what the line tells: cap fault, stack dump, kernel panic, ...
      , time_s : Optional Double -- measured: since t0; None: t0 was not seen
      , line : Natural -- measured: counted from 1
      , interval : Optional Text -- measured: in which it was printed; None: outside all of them
      , text : Text -- measured: beginning of the line
      }

let BootRestartSign =
      < none | t0_again | clock_fell >

let BootRestart =
      { sign : BootRestartSign -- derived: t0's line came again, or the kernel's clock fell back
      , time_s : Double -- measured: since t0
      , line : Natural -- measured: counted from 1
      , interval : Optional Text -- measured: in which it was; None: outside all of them
      , text : Text -- measured: beginning of the line
      }

let BootAttempt =
      { config : Text -- declared: configuration it belongs to; BOARD.CONFIG where several boards were run
      , board : Optional Text -- declared: None: not run here
      , run : Natural -- declared: of that configuration, counted from 1
      , attempt : Natural -- declared: at this run, counted from 1
      , counts : Bool -- derived: the last attempt at its run, and it was not stopped: the one in the figures, if its outcome is ok or not known
      , path : Text -- declared: log or capture, as given or below the run folder
      , sha256 : Optional Text -- measured: of the log, or of the capture's raw bytes, 64 hex digits
      , form : Text -- measured: capture, none (the port could not be had), or the tool that stamped the lines
      , platform : BootPlatform -- declared: a board's numbers and an emulator's are not of one kind
      , platform_why : Optional Text -- measured: what says so
      , status : Optional Text -- measured: as the log says itself
      , outcome : Optional BootOutcome -- measured: class of its end; None: not run here
      , outcome_kind : Optional Text -- measured: one word for how it ended; None: not run here
      , outcome_why : Optional Text -- measured: in words
      , resent : Optional Natural -- measured: commands and loads that were sent again; None: not run here
      , started_utc : Optional Text -- measured: RFC 3339 UTC; None: unknown
      , power_driver : Optional Text -- declared: what switched it; None: not run here
      , images : List BootImage -- what was loaded, in this order
      , declared : List BootDeclared -- how the image was built, as the campaign says
      , port : Optional BootPort -- None: not known
      , baud : Natural -- declared: that UART times are of
      , baud_why : Text -- measured: option, capture, kernel command line, or assumed
      , resolution_s : Optional Double -- derived: finest difference that the stamps tell; None: unknown
      , digit_s : Optional Double -- measured: of the last printed digit of an imported log
      , grid_s : Optional Double -- derived: step that the stamps are on; None: no step was found
      , lines : Natural -- measured: of the console
      , bytes : Natural -- measured: as in intervals
      , unstamped_lines : Natural -- measured: lines without a time of their own
      , cut_bytes : Natural -- measured: text beyond the longest line
      , nul_bytes : Natural -- measured: dropped from texts
      , bad_utf8 : Natural -- measured: broken characters in texts
      , backwards : Natural -- measured: stamps before the one before them
      , worst_backwards_s : Optional Double -- measured: by how much; None: none was
      , damage : Optional Text -- measured: what is missing at the end of a capture
      , t0 : Optional BootEvent -- time_s is since the log's own zero; None: not seen
      , phases : List BootEvent -- in the order they were given
      , intervals : List BootInterval -- t0 to the first phase, to the next, ...
      , values : List BootValue -- in the order they were printed
      , values_lost : Natural -- measured: values beyond those that are kept, or no numbers
      , faults : List BootFault -- in the order they were printed
      , faults_lost : Natural -- measured: faults beyond those that are kept
      , restarts : List BootRestart -- times that the board began anew after t0, the first of them
      , last_text : Optional Text -- measured: beginning of the last line with text
      }

let BootTimes =
      { name : Text -- declared: phase, or from..to
      , n : Natural -- derived: runs that have it
      , failed : Natural -- derived: runs that have not
      , retried : Natural -- derived: attempts beyond the first
      , median_s : Optional Double -- derived: None: no run has it
      , mean_s : Optional Double -- derived: arithmetic mean
      , sd_s : Optional Double -- derived: sample standard deviation, divisor n - 1; None for one run
      , min_s : Optional Double -- derived: shortest
      , max_s : Optional Double -- derived: longest
      , resolution_s : Optional Double -- derived: the coarsest of its runs; None: unknown
      , runs_s : List Double -- measured: of each run that has it, in the order of runs
      }

let BootShares =
      { name : Text -- derived: from..to
      , bytes_median : Optional Double -- derived: printed in it
      , uart_ratio_min : Optional Double -- derived: UART time over duration, smallest of the runs
      , uart_ratio_median : Optional Double -- derived: median
      , uart_ratio_max : Optional Double -- derived: largest
      , longest_gap_s : Optional Double -- derived: median of the runs' longest silence
      , gap_ratio_median : Optional Double -- derived: its share of the duration
      , silence_ratio_median : Optional Double -- derived: share of all kept gaps
      , guest_claims_s : Optional Double -- derived: median of what the kernel's clock claims
      , guest_host_s : Optional Double -- derived: median of what the host saw between the same lines
      , guest_disagrees : Natural -- derived: runs in which they disagree
      , faulty : Natural -- derived: runs with a fault in it
      }

let BootValues =
      { name : Text -- declared: of its pattern
      , place : Text -- derived: its section, or #1, #2, ... by order in a boot
      , unit : Optional Text -- declared: None: a plain number
      , n : Natural -- derived: runs that have it
      , failed : Natural -- derived: runs that have not
      , median : Double -- derived: in the unit
      , mean : Double -- derived: arithmetic mean
      , sd : Optional Double -- derived: sample standard deviation, divisor n - 1; None for one run
      , min : Double -- derived: smallest
      , max : Double -- derived: largest
      , counters : Natural -- derived: with ticks and rate printed beside them
      , counters_agree : Natural -- derived: of those: they give the value
      , runs : List Double -- measured: of each run that has it, in the order of runs
      }

let BootConfig =
      { name : Text -- declared: of the configuration
      , platform : BootPlatform -- declared: unknown where its attempts differ
      , runs : Natural -- derived: runs
      , failed : Natural -- derived: runs that did not reach every phase
      , retried : Natural -- derived: attempts beyond the first
      , phases : List BootTimes -- since t0
      , intervals : List BootTimes -- between phases
      , shares : List BootShares -- what fills the intervals
      , values : List BootValues -- printed values
      }

let BootRatio =
      { what : Text -- derived: phase, from..to, or value with its place
      , base : Text -- declared: configuration that stands below
      , config : Text -- declared: configuration that stands above
      , base_median : Double -- derived: s, or the value's unit
      , median : Double -- derived: in the same
      , ratio : Double -- derived: median / base_median
      , lo : Double -- derived: lower end of its interval
      , hi : Double -- derived: upper end
      , level : Double -- derived: that the interval is made for; it is not reached with few runs
      , base_n : Natural -- derived: runs below
      , n : Natural -- derived: runs above
      , warning : Optional Text -- derived: why it should not be leant on; None: nothing is known against it
      }

let BootFindingKind =
      < stamp_grid | uart_time | silence | fault | guest_clock | counter | host_disagrees | clock_backwards | unstamped | failed | platforms | earlier_match | restart | status | skipped >

let BootFinding =
      { kind : BootFindingKind -- derived: what it is about
      , config : Optional Text -- derived: None: of all
      , phase : Optional Text -- derived: phase or from..to
      , runs : Natural -- derived: attempts in which it is so
      , of : Natural -- derived: attempts that were looked at
      , text : Text -- derived: one sentence or two
      }

let BootCampaign =
      { schema : Text -- declared: BootCampaign/1
      , head : Optional Head -- of the run that made the boots; None: logs that were read
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , boards : List BootBoard -- that were run here
      , resumed : Optional Text -- declared: run folder whose attempts are taken over; None: none
      , t0 : Optional Text -- declared: pattern of the beginning; None: the first line, or t0 stands among the phases
      , phases : List BootPattern -- in the order they were given
      , values : List BootPattern -- in the order they were given
      , section : Optional Text -- declared: pattern of the lines that begin a section; None: none
      , skipped : List BootSkipped -- files of folders that are no logs of a known form
      , attempts : List BootAttempt -- by configuration, run and attempt
      , configs : List BootConfig -- in the order of their names
      , ratios : List BootRatio -- of every configuration to the first that has it, or to the one that was named
      , findings : List BootFinding -- what a reader of the figures has to know
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let BootAttemptEnd =
      { schema : Text -- declared: BootAttemptEnd/1
      , tool_version : Text -- measured: version of noisefloor
      , board : Text -- declared: of the campaign file
      , config : Text -- declared: of the campaign file
      , run : Natural -- declared: of that configuration, counted from 1
      , attempt : Natural -- declared: at this run, counted from 1
      , campaign_sha256 : Text -- measured: of the campaign file, 64 hex digits
      , platform : BootPlatform -- declared: as in attempts of BootCampaign
      , platform_why : Text -- measured: what says so
      , power_driver : Text -- declared: what switched it
      , declared : List BootDeclared -- how the image was built, as the campaign says
      , outcome : BootOutcome -- measured: class of its end
      , kind : Text -- measured: one word for how it ended
      , why : Text -- measured: in words
      , resent : Natural -- measured: commands and loads that were sent again
      , started_utc : Optional Text -- measured: RFC 3339 UTC; None: unknown
      , wall_s : Optional Double -- measured: from its begin to its end; None: unknown
      , captured : Bool -- measured: there is a capture; else the port could not be had
      , images : List BootImage -- what was to be loaded
      , overruns : Optional Natural -- measured: bytes lost by UART or kernel meanwhile; None: it does not say
      , frame_errors : Optional Natural -- measured: meanwhile
      , breaks : Optional Natural -- measured: meanwhile
      , driver : Optional Text -- measured: kernel driver of a serial port
      , latency_timer_ms : Optional Natural -- measured: of an FTDI adapter
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
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

let LaneEntry =
      { id : Text -- measured: what the loader calls it
      , title : Text -- measured: what its menu shows
      , image : Optional Text -- measured: the kernel, as the loader names it
      , release : Optional Text -- derived: its release, of the image's name
      , cmdline : Optional Text -- measured: kernel command line of the entry
      , lane : Lane -- derived: lane of that kernel
      , lane_from : Optional Text -- derived: what says so
      , recovery : Bool -- derived: boots into single-user mode: no candidate
      , is_default : Bool -- derived: the machine boots it by itself
      , candidate : Bool -- derived: can be booted once as the realtime lane
      }

let LaneStatus =
      { schema : Text -- declared: LaneStatus/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , reached : Text -- declared: where it was read: this machine, a captured tree, or a target
      , host : Optional Text -- measured: host name, a label
      , kernel_release : Optional Text -- measured: of the kernel that runs; uname -r
      , kernel_version : Optional Text -- measured: uname -v
      , lane : Lane -- measured: lane of the kernel that runs
      , boot_id : Optional Text -- measured: of this boot
      , loader : Optional Text -- measured: what boots entries once here; None: nothing that is known
      , default_entry : Optional Text -- derived: entry that boots by default; None: not known
      , default_unknown : Optional Text -- derived: why that is not known
      , next_known : Bool -- measured: whether an entry for the next boot is set can be read
      , next_entry : Optional Text -- measured: entry for the next boot only; None: none, or not known
      , entries : List LaneEntry -- kernels that can be booted
      , reasons : List Text -- derived: why a one-shot boot cannot be trusted here
      , can_arm : Bool -- derived: a realtime kernel can be booted once, and the default comes back
      , refusal : Optional Text -- derived: why not; None: it can
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let PropertyOutcome =
      < broken | passed | failed | gave_up | vacuous | uncovered >

let PropertyResult =
      { name : Text -- declared: property
      , law : Text -- declared: what it says, in a sentence
      , outcome : PropertyOutcome -- measured: what came of it
      , cases : Natural -- measured: cases that got to their end
      , discarded : Natural -- measured: cases that did not meet its assumptions
      , message : Optional Text -- measured: why it did not pass
      , blob : Optional Text -- measured: replays the failing case
      }

let PropertyRun =
      { schema : Text -- declared: PropertyRun/1
      , tool_version : Text -- measured: version of noisefloor
      , compiler : Text -- measured: compiler and version of the program that ran them
      , sanitize : Text -- measured: sanitizers, or none
      , commit : Optional Text -- measured: commit it was built from; -dirty: with uncommitted changes
      , finished_utc : Text -- measured: RFC 3339 UTC
      , suite : Text -- declared: suite of properties
      , seed : Text -- declared: seed, decimal: the same gives the same run
      , properties : Natural -- derived: properties that were run
      , passed : Natural -- derived: those that passed
      , cases : Natural -- derived: cases over all of them
      , line : Text -- derived: all of it in a line: N properties, M cases, seed
      , results : List PropertyResult -- one each, in the suite's order
      , result : Result -- derived: pass when all did
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let SampleFigures =
      { n : Natural -- measured: values
      , mean : Double -- derived: arithmetic mean
      , sd : Optional Double -- derived: standard deviation, divisor n - 1; None: one value
      , min : Double -- measured: smallest
      , p25 : Double -- derived: 25th percentile, type 7
      , p50 : Double -- derived: median
      , p75 : Double -- derived: 75th percentile, type 7
      , p99 : Double -- derived: 99th percentile, type 7
      , p999 : Double -- derived: 99.9th percentile, type 7
      , max : Double -- measured: largest
      }

let SampleWorker =
      { name : Text -- measured: who: 'Thread 0', 'Process 3', 'serial', or the stream's name
      , cpus : Optional Text -- measured: CPUs it says it ran on; None: it does not say
      , ghz : Optional Double -- measured: its own rate, ticks per ns; None: it gives none or needs none
      , unit : Text -- derived: of its figures: us, tick or count
      , figures : Optional SampleFigures -- of all its values; None: none_why says why
      , none_why : Optional Text -- derived: why there are no figures
      , noise_ratio : Optional Double -- derived: 1 - n x min / sum: share of the time beyond the shortest; None: no fixed work
      , least_sd : Bool -- derived: least standard deviation of the file's workers
      , most_sd : Bool -- derived: largest standard deviation of the file's workers
      , lost : Natural -- measured: samples dropped, saturated, missed or truncated while they were taken
      }

let FwqStatsColumn =
      { worker : Natural -- measured: number of the thread or process
      , name : Text -- measured: its name among the workers
      , cpus : Text -- measured: CPUs it says it ran on; empty: it does not say
      , figures : SampleFigures -- without its first value, at the rate of the last Speed line
      }

let FwqStats =
      { stops_why : Optional Text -- derived: why fwq-stats shows no figures of this file; None: it does
      , ghz : Optional Double -- measured: rate of the last Speed line, used for every worker; None: there is no such line
      , unit : Text -- derived: of its figures: us or tick
      , columns : List FwqStatsColumn -- the worker with the least and the one with the largest standard deviation
      }

let SampleFile =
      { path : Text -- declared: as it was named
      , form : Text -- measured: FWQ threads, FWQ processes, FWQ serial, .nfsamples, or empty
      , complete : Bool -- measured: nothing is missing at its end
      , problem : Optional Text -- measured: what is missing or damaged
      , damaged : Bool -- measured: a part other than the end is wrong
      , notes : List Text -- measured: what a reader of the figures has to know
      , workers : List SampleWorker -- least standard deviation first, then the largest, then as in the file
      , fwq_stats : Optional FwqStats -- how fwq-stats reads the same file; None: it is no text file of FWQ
      }

let SampleStats =
      { schema : Text -- declared: SampleStats/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , files : List SampleFile -- in the order of the command line
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let HistoryMetric =
      { id : Text -- declared: name of the figure
      , runs : Natural -- measured: runs that have it
      , unit : Text -- declared: of its values
      , text : Text -- declared: what it is
      }

let HistoryPoint =
      { folder : Text -- measured: the run folder's name
      , started_utc : Optional Text -- measured: RFC 3339
      , value : Double -- measured: in the metric's unit
      , kernel : Optional Text -- measured: kernel release
      , boot_id : Optional Text -- measured: boot it ran on
      , complete : Bool -- measured: false: the run ended early; such points are shown and not judged
      }

let HistoryStep =
      { at : Natural -- derived: index of the first point of the new level
      , folder : Text -- derived: its run folder
      , ratio : Optional Double -- derived: median after over median before, between the neighbouring steps; None: not every value is above 0
      , difference : Double -- derived: median after minus median before, in the metric's unit
      , p : Double -- derived: share of orders that split as well
      , superiority : Double -- derived: probability that a value after the step is beyond one before it
      }

let HistorySeries =
      { host : Optional Text -- measured: host label
      , machine : Optional Text -- measured: machine hash
      , lane : Optional Text -- measured: realtime lane
      , tag : Optional Text -- measured: tag of the runs
      , points : List HistoryPoint -- in order of time
      , steps : List HistoryStep -- where the level changed for good
      , unjudged : Optional Text -- derived: why no step can be found here; None: looked for
      }

let History =
      { schema : Text -- declared: History/1
      , tool_version : Text -- measured: version of noisefloor
      , metric : Optional Text -- declared: figure asked for; None: the list of figures was
      , unit : Optional Text -- declared: of its values
      , text : Optional Text -- declared: what it is
      , lower_is_better : Optional Bool -- declared: which direction is better
      , metrics : List HistoryMetric -- figures that runs here have; empty when one was asked for
      , series : List HistorySeries -- one per machine, lane and tag
      , uncommitted : Natural -- measured: run folders without a MANIFEST, left out
      , notes : List Text -- measured: what a reader must know
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this does not show
      }

let SourceUnread =
      { path : Text -- measured: file or folder
      , why : Text -- measured: what the system said
      }

let SourceFiles =
      { read : Natural -- measured: source files that were read
      , bytes : Natural -- measured: bytes of them
      , binary : Natural -- measured: files passed over: a NUL among their first 8,192 bytes
      , large : Natural -- measured: files passed over: more than 256 MiB
      , same : Natural -- measured: files passed over: names of one that was read
      , links : Natural -- measured: symbolic links inside folders, not followed
      , unreadable : Natural -- measured: files and folders that could not be read
      , lost : Natural -- measured: files that could not be read a second time: what was found in them is missing
      , unread : List SourceUnread -- the first of them
      }

let SourcePlace =
      { path : Text -- measured: file, as it was reached from what was named
      , line : Natural -- measured: line in it, from 1
      }

let SourceReach =
      < same_folder | same_file | include | includer >

let SourceDefinitionKind =
      < zero | otherwise | undefined >

let SourceDefinition =
      { kind : SourceDefinitionKind -- measured: defined as 0, defined otherwise, or undefined
      , place : SourcePlace -- where
      }

let SourceMacro =
      { macro : Text -- measured: the macro's name
      , zero : SourcePlace -- where it is defined as 0
      , test : SourcePlace -- where its definedness is asked for
      , condition : Text -- measured: the directive that asks, on one line
      , reach : SourceReach -- derived: how the definition reaches the test
      , via : Optional SourcePlace -- the #include line that connects the two; None: the same file, or none is known
      , certain : Bool -- derived: the definition reaches the test, and nothing says that 0 is meant as a number
      , doubt : Optional Text -- derived: why it is less than certain, or what else the test may see; None: nothing
      , also : List SourceDefinition -- other definitions that the test may see, the first of them
      , also_count : Natural -- measured: of them in all
      , elsewhere : Natural -- measured: definitions otherwise and #undefs in files that do not reach the test
      }

let SourcePrint =
      { function : Text -- measured: the function that holds all three places; empty: not recognised
      , call : Text -- measured: what prints
      , print : SourcePlace -- where it prints
      , begin : SourcePlace -- the clock is read
      , end : SourcePlace -- and read again
      , certain : Bool -- derived: no condition stands between the region and the print
      , doubt : Optional Text -- derived: why it is less than certain; None: nothing
      }

let AuditSource =
      { schema : Text -- declared: AuditSource/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , paths : List Text -- declared: files and folders that were named
      , complete : Bool -- measured: everything in them was read
      , files : SourceFiles -- what was read and what was not
      , zeros : Natural -- measured: macros defined as 0: directives
      , tests : Natural -- measured: tests of definedness: names in #ifdef, #ifndef, defined and their like
      , names : Natural -- measured: macros that have both, in whatever files
      , includes_followed : Natural -- measured: #include lines followed to a file of the tree
      , includes_outside : Natural -- measured: #include lines that name no file of the tree
      , includes_ambiguous : Natural -- measured: #include lines that several files could be meant by: not followed
      , timed_regions : Natural -- measured: regions between two reads of a clock in one function
      , macros : List SourceMacro -- by the test's place; the uncertain ones where all were asked for
      , prints : List SourcePrint -- by the print's place; the uncertain ones where all were asked for
      , uncertain_macros : Natural -- derived: uncertain ones, listed or not
      , uncertain_prints : Natural -- derived: uncertain ones, listed or not
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let ExpectedLane =
      < unknown | generic | rt >

let ProbeResult =
      < blocked | fail | partial | pass >

let HostProbeRun =
      { date : Text -- measured: day of the run, UTC, as 2026-01-02
      , ownerIssue : Optional Text -- declared: what asked for the run
      , host : Text -- measured: host label
      , compilerSource : Text -- measured: where the compiler came from
      , compilerRef : Optional Text -- measured: which compiler exactly
      , chapelVersion : Optional Text -- measured: version of the Chapel compiler; None: not Chapel
      , expectedLane : ExpectedLane -- declared: lane the user expected
      , kernelVersion : Text -- measured: uname -r
      , unameVariant : Optional Text -- measured: uname -v
      , sysKernelRealtime : Optional Bool -- measured: /sys/kernel/realtime; None: unknown
      , tunedProfile : Optional Text -- measured: active tuned profile
      , localeCount : Natural -- measured: locales: 1 on one machine
      , sublocaleCount : Natural -- measured: NUMA nodes seen as sublocales
      , coresPerLocale : Natural -- measured: cores of a locale
      , channelCount : Natural -- declared: channels of the matrix
      , sampleCount : Natural -- declared: samples per channel
      , sampleRateHz : Natural -- declared: sampling rate the matrix stands for
      , partitionCount : Natural -- declared: contiguous groups of channels
      , timingConforms : Bool -- derived: the wake-ups keep the budget
      , jitterMinSeconds : Double -- derived: smallest distance of an interval from the period
      , jitterMaxSeconds : Double -- derived: largest
      , jitterMeanSeconds : Double -- derived: mean
      , serialSeconds : Optional Double -- derived: median serial reduction
      , parallelSeconds : Optional Double -- derived: median parallel reduction
      , speedup : Optional Double -- derived: ratio of the medians
      , delta : Optional Double -- derived: difference of the two sums
      , contractCeiling : Text -- declared: what the record does not show
      , result : ProbeResult -- derived: verdict
      , evidence : List Text -- measured: files it rests on
      , notes : List Text -- measured: what a reader must know
      , followUp : List Text -- declared: what is left to do
      }

let KernelLane =
      < generic | rt >

let ValidationResult =
      < partial | fail | historical | pass >

let KernelValidationRun =
      { date : Text -- measured: day of the run, UTC, as 2026-01-02
      , ownerIssue : Optional Text -- declared: what asked for the run
      , host : Text -- measured: host label
      , lane : KernelLane -- measured: lane of the kernel that was validated
      , phase : Text -- declared: which step of the validation this is
      , intent : Optional Text -- declared: what the run was for
      , kernelVersion : Text -- measured: uname -r
      , unameVariant : Optional Text -- measured: uname -v
      , sysKernelRealtime : Optional Bool -- measured: /sys/kernel/realtime; None: unknown
      , tunedProfile : Optional Text -- measured: active tuned profile
      , defaultKernel : Optional Text -- measured: kernel that boots by default
      , defaultPreserved : Optional Bool -- declared: the default kernel stayed what it was
      , nextEntryState : Optional Text -- measured: one-time boot entry
      , nextEntryConsumed : Optional Bool -- declared: that entry was used and is gone
      , baseMatched : Natural -- measured: configuration lines that are as the base asks
      , baseMismatched : Natural -- measured: those that are not
      , rtMatched : Optional Natural -- measured: the same for the realtime overlay; None: not checked
      , rtMismatched : Optional Natural -- measured: those that are not
      , cmdlineMatched : Natural -- measured: command-line parameters that are there
      , cmdlineMissing : Natural -- measured: those that are not
      , validatorPass : Bool -- measured: the validator's own verdict
      , smiCountPer10s : Optional Natural -- derived: system management interrupts in ten seconds
      , hwlatMaxUs : Optional Natural -- measured: largest hardware latency
      , reconnectSeconds : Optional Natural -- declared: from reboot to the first connection
      , returnToGenericSeconds : Optional Natural -- declared: from reboot to the generic kernel again
      , returnKernelVersion : Optional Text -- declared: kernel after the return
      , returnBaselinePass : Optional Bool -- declared: verdict of the validator after the return
      , result : ValidationResult -- derived: verdict
      , evidence : List Text -- declared: files it rests on
      , notes : List Text -- declared: what a reader must know
      , followUp : List Text -- declared: what is left to do
      }

let TraceOrigin =
      < unknown | line | `file name` | option >

let Trace =
      { field : Text -- derived: field it is about; several entries: the value rests on all of them
      , value : Text -- derived: as it was understood
      , origin : TraceOrigin -- derived: where it stands
      , capture : Optional Text -- measured: file; None: an option said it
      , line : Optional Natural -- measured: line, from 1; None: the file's name or an option
      , text : Optional Text -- measured: that line; None: there is none
      }

let CaptureKind =
      < unknown | probe | validator | smi | window | lane >

let CaptureFacts =
      { tag : Optional Text -- declared: series the capture belongs to
      , sample : Optional Natural -- declared: number in that series, from 1
      , sample_count : Optional Natural -- declared: captures that the series has
      , run_id : Optional Text -- declared: name of the run
      , host : Optional Text -- measured: host label
      , captured_utc : Optional Text -- measured: when it was captured, RFC 3339 UTC
      , expected_lane : Optional Text -- declared: lane the user expected
      , compiler_source : Optional Text -- declared: how the compiler came to the host
      , compiler_ref : Optional Text -- measured: which compiler exactly
      , chapel_version : Optional Text -- measured: version of the Chapel compiler
      , kernel_version : Optional Text -- measured: uname -r
      , uname_variant : Optional Text -- measured: uname -v
      , realtime : Optional Bool -- measured: the kernel is a realtime kernel
      , tuned_profile : Optional Text -- measured: active tuned profile
      , kernel_cmdline : Optional Text -- measured: /proc/cmdline
      , uptime_s : Optional Double -- measured: time since boot
      , uptime_step_s : Optional Double -- derived: its resolution
      , load_1min : Optional Double -- measured: load average over one minute
      , clocksource : Optional Text -- measured: clock source in use
      , cpus_isolated : Optional Text -- measured: isolated CPUs
      , nohz_full : Optional Text -- measured: nohz_full= of the command line
      , default_kernel : Optional Text -- measured: kernel that boots by default
      , next_entry : Optional Text -- measured: one-time boot entry
      , locale_count : Optional Natural -- measured: locales of the probe
      , sublocale_count : Optional Natural -- measured: NUMA nodes seen as sublocales
      , cores_per_locale : Optional Natural -- measured: cores of a locale
      , channel_count : Optional Natural -- declared: channels of the matrix
      , samples_per_channel : Optional Natural -- declared: samples per channel
      , sample_rate_hz : Optional Natural -- declared: sampling rate the matrix stands for
      , partition_count : Optional Natural -- declared: groups of channels
      , period_s : Optional Double -- declared: period of the timing proof
      , timing_conforms : Optional Bool -- measured: the probe's verdict on it
      , jitter_min_s : Optional Double -- measured: jitter as the probe printed it
      , jitter_max_s : Optional Double -- measured: largest
      , jitter_mean_s : Optional Double -- measured: mean
      , serial_s : Optional Double -- measured: serial reduction
      , serial_ns_per_element : Optional Double -- derived: serial_s over channels times samples
      , parallel_s : Optional Double -- measured: parallel reduction
      , speedup : Optional Double -- measured: as the probe printed it
      , delta : Optional Double -- measured: difference of the two sums
      , expect_rt : Optional Bool -- declared: the validator was told to expect a realtime kernel
      , base_matched : Optional Natural -- measured: configuration lines as the base asks
      , base_mismatched : Optional Natural -- measured: those that are not
      , rt_matched : Optional Natural -- measured: the same for the realtime overlay
      , rt_mismatched : Optional Natural -- measured: those that are not
      , cmdline_matched : Optional Natural -- measured: command-line parameters that are there
      , cmdline_missing : Optional Natural -- measured: those that are not
      , missing_parameters : List Text -- measured: those the validator named
      , validator_pass : Optional Bool -- measured: the validator's verdict
      , smi_count : Optional Natural -- measured: system management interrupts counted
      , smi_s : Optional Natural -- declared: seconds they were counted for
      , smi_per_10s : Optional Double -- derived: smi_count in ten of those seconds
      , hwlat_max_us : Optional Natural -- measured: largest hardware latency
      , hwlat_s : Optional Natural -- declared: seconds it was looked for
      , hwlat_threshold_us : Optional Natural -- declared: threshold of the detector
      }

let Capture =
      { name : Text -- measured: file
      , kind : CaptureKind -- derived: what it is a capture of
      , sha256 : Text -- measured: its digest, 64 hex digits
      , bytes : Natural -- measured: its length
      , lines : Natural -- measured: lines
      , replaced : Natural -- measured: bytes and terminal sequences that are no text, replaced
      , facts : CaptureFacts -- what its lines say
      , trace : List Trace -- which line says it
      , notes : List Text -- derived: lines that contradict each other
      }

let Projection =
      { schema : Text -- declared: Projection/1
      , tool_version : Text -- measured: version of noisefloor
      , host_probe : Optional HostProbeRun -- the record of a probe capture
      , kernel_validation : Optional KernelValidationRun -- the record of a validator capture
      , trace : List Trace -- where the values of that record stand
      , `missing` : List Text -- derived: fields without which there is no such record, and no capture says them
      , notes : List Text -- derived: contradictions, and what was not used
      , captures : List Capture -- what was read
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

let CompareWarning =
      { id : Text -- derived: which warning: a row of src/report/compare_warn.c
      , group : Optional Text -- derived: group it is about; None: several
      , text : Text -- derived: what was found
      , rule : Text -- derived: when it is given
      }

let CompareFigure =
      { metric : Text -- derived: figure: an id of tables/metrics.def
      , unit : Text -- derived: unit of every value here
      , group : Text -- derived: group
      , n : Natural -- derived: values
      , min : Double -- derived: smallest
      , max : Double -- derived: largest
      , mean : Double -- derived: arithmetic mean
      , sd : Optional Double -- derived: sample standard deviation, divisor n - 1; None for one value
      , median : Double -- derived: middle
      , values : List Double -- measured: in the order of the operands
      , inputs : List Natural -- derived: which operand each comes from, from 0
      }

let DifferenceVerdict =
      < `cannot be told apart` | hurt | helped >

let CompareDifference =
      { metric : Text -- derived: figure
      , unit : Text -- derived: unit of estimate, lo and hi
      , base : Text -- derived: group it is measured against
      , other : Text -- derived: group
      , estimate : Double -- derived: median of the differences of every pair, other minus base (Hodges and Lehmann)
      , lo : Optional Double -- derived: lower end of its interval; None: too few values for one
      , hi : Optional Double -- derived: upper end
      , level : Optional Double -- derived: level that the interval has, at least 0.95
      , of_base_ratio : Optional Double -- derived: estimate over the base's median; None: that is 0
      , verdict : DifferenceVerdict -- derived: what the interval allows to say
      , sentence : Text -- derived: the same in words
      }

let CompareRatio =
      { group : Text -- derived: group
      , mean_of_ratios : Double -- derived: mean of the runs' speedups
      , ratio_of_means : Double -- derived: mean serial over mean parallel
      , ratio_of_medians : Double -- derived: median serial over median parallel
      }

let CompareInput =
      { path : Text -- declared: operand
      , type : Text -- measured: what it is: a record's schema, or CaptureFacts
      , group : Text -- derived: group it was put in
      , tag : Optional Text -- declared: its tag
      , host : Optional Text -- measured: its host
      , lane : Text -- measured: its lane: generic, rt or unknown
      , kernel : Optional Text -- measured: its kernel
      , captured_utc : Optional Text -- measured: when it was taken
      , boot_id : Optional Text -- measured: boot it belongs to
      , platform : Optional Text -- measured: platform kind
      , uptime_s : Optional Double -- measured: time since boot
      , load_1min : Optional Double -- measured: load average over one minute
      , smi_window_s : Optional Double -- declared: seconds that SMIs were counted for
      , conforms : Optional Bool -- measured: its timing conforms to its budget
      }

let CompareRun =
      { schema : Text -- declared: CompareRun/1
      , tool_version : Text -- measured: version of noisefloor
      , by : Text -- declared: what made the groups: lane, tag or host
      , groups : List Text -- derived: groups; the first is the base
      , conclusion : Text -- derived: what can be said, in a sentence
      , warnings : List CompareWarning -- what makes the comparison unfair
      , figures : List CompareFigure -- per figure and group
      , differences : List CompareDifference -- per figure and group against the base
      , ratios : List CompareRatio -- three ways to one speedup
      , inputs : List CompareInput -- operands
      , method : Text -- declared: estimators and interval in use
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  { Host = Host
    , Library = Library
    , Build = Build
    , EnvVar = EnvVar
    , FileRef = FileRef
    , Lane = Lane
    , ClockSource = ClockSource
    , Clock = Clock
    , Setup = Setup
    , Difference = Difference
    , Exclusion = Exclusion
    , RunState = RunState
    , Result = Result
    , Honesty = Honesty
    , Head = Head
    , Profile = Profile
    , TimingBudget = TimingBudget
    , Headline = Headline
    , StepResult = StepResult
    , Step = Step
    , Policy = Policy
    , SampleUnit = SampleUnit
    , SampleKind = SampleKind
    , StreamRef = StreamRef
    , BracketCpu = BracketCpu
    , Bracket = Bracket
    , RunFacts = RunFacts
    , SmiSource = SmiSource
    , SmiCount = SmiCount
    , SmiBody = SmiBody
    , SmiStep = SmiStep
    , Percentile = Percentile
    , Summary = Summary
    , HwlatBody = HwlatBody
    , HwlatStep = HwlatStep
    , NoiseWorker = NoiseWorker
    , CauseKind = CauseKind
    , Cause = Cause
    , Causes = Causes
    , NoiseBody = NoiseBody
    , NoiseStep = NoiseStep
    , WakeMethod = WakeMethod
    , WakeWorker = WakeWorker
    , WakeBody = WakeBody
    , WakeStep = WakeStep
    , Placement = Placement
    , NumaBandwidth = NumaBandwidth
    , NumaBody = NumaBody
    , NumaStep = NumaStep
    , ClockRead = ClockRead
    , ClockSkew = ClockSkew
    , ClockBody = ClockBody
    , ClockStep = ClockStep
    , WindowRun = WindowRun
    , NoiseRun = NoiseRun
    , FtqLine = FtqLine
    , FtqSpectrum = FtqSpectrum
    , FtqWorker = FtqWorker
    , FtqBody = FtqBody
    , FtqRun = FtqRun
    , DetourWorker = DetourWorker
    , DetourLengths = DetourLengths
    , DetourBody = DetourBody
    , DetourRun = DetourRun
    , MpiSamples = MpiSamples
    , MpiSlowRank = MpiSlowRank
    , MpiBulkSynchronous = MpiBulkSynchronous
    , MpiNoiseBody = MpiNoiseBody
    , MpiNoiseRun = MpiNoiseRun
    , WakeRun = WakeRun
    , NumaRun = NumaRun
    , SmiRun = SmiRun
    , HwlatRun = HwlatRun
    , OsnoiseCpu = OsnoiseCpu
    , OsnoiseSource = OsnoiseSource
    , OsnoiseCause = OsnoiseCause
    , OsnoiseBody = OsnoiseBody
    , OsnoiseRun = OsnoiseRun
    , TimerlatCpu = TimerlatCpu
    , TimerlatBody = TimerlatBody
    , TimerlatRun = TimerlatRun
    , ClockRun = ClockRun
    , InjectPlan = InjectPlan
    , InjectBursts = InjectBursts
    , InjectFound = InjectFound
    , InjectChance = InjectChance
    , InjectPhase = InjectPhase
    , InjectPass = InjectPass
    , InjectProbe = InjectProbe
    , InjectRun = InjectRun
    , AuditTarget = AuditTarget
    , AuditIo = AuditIo
    , AuditSums = AuditSums
    , AuditRegion = AuditRegion
    , AuditCall = AuditCall
    , AuditTrace = AuditTrace
    , AuditRun = AuditRun
    , PortKind = PortKind
    , ConsolePort = ConsolePort
    , ConsoleErrors = ConsoleErrors
    , ConsoleLines = ConsoleLines
    , ConsoleRun = ConsoleRun
    , PortListened = PortListened
    , PortRate = PortRate
    , PowerState = PowerState
    , PortPower = PortPower
    , PortCheck = PortCheck
    , BootPattern = BootPattern
    , AuditLogPhase = AuditLogPhase
    , AuditLogLine = AuditLogLine
    , AuditLog = AuditLog
    , BenchPlan = BenchPlan
    , BenchBackend = BenchBackend
    , MemoryMethod = MemoryMethod
    , BenchVariant = BenchVariant
    , BenchPosture = BenchPosture
    , BenchFact = BenchFact
    , BenchSet = BenchSet
    , BenchRun = BenchRun
    , BenchRule = BenchRule
    , BenchVerdict = BenchVerdict
    , BenchComparison = BenchComparison
    , BenchCompare = BenchCompare
    , BenchAgainst = BenchAgainst
    , BenchJudgement = BenchJudgement
    , BenchJudged = BenchJudged
    , BenchRegress = BenchRegress
    , BenchMachine = BenchMachine
    , BenchStored = BenchStored
    , BenchSession = BenchSession
    , BenchBaseline = BenchBaseline
    , AaTrial = AaTrial
    , AaScore = AaScore
    , SelftestAa = SelftestAa
    , SweepForm = SweepForm
    , SweepKind = SweepKind
    , SweepKnob = SweepKnob
    , SweepProgram = SweepProgram
    , SweepSession = SweepSession
    , SweepInterrupted = SweepInterrupted
    , SweepMark = SweepMark
    , SweepPoint = SweepPoint
    , BenchSweep = BenchSweep
    , BootBoard = BootBoard
    , BootSkipped = BootSkipped
    , BootPlatform = BootPlatform
    , BootOutcome = BootOutcome
    , BootImage = BootImage
    , BootDeclared = BootDeclared
    , BootPort = BootPort
    , BootEvent = BootEvent
    , BootGap = BootGap
    , BootGuest = BootGuest
    , BootInterval = BootInterval
    , BootValue = BootValue
    , BootFault = BootFault
    , BootRestartSign = BootRestartSign
    , BootRestart = BootRestart
    , BootAttempt = BootAttempt
    , BootTimes = BootTimes
    , BootShares = BootShares
    , BootValues = BootValues
    , BootConfig = BootConfig
    , BootRatio = BootRatio
    , BootFindingKind = BootFindingKind
    , BootFinding = BootFinding
    , BootCampaign = BootCampaign
    , BootAttemptEnd = BootAttemptEnd
    , Match = Match
    , ProfileLine = ProfileLine
    , AdviceItem = AdviceItem
    , Advice = Advice
    , Posture = Posture
    , LaneEntry = LaneEntry
    , LaneStatus = LaneStatus
    , PropertyOutcome = PropertyOutcome
    , PropertyResult = PropertyResult
    , PropertyRun = PropertyRun
    , SampleFigures = SampleFigures
    , SampleWorker = SampleWorker
    , FwqStatsColumn = FwqStatsColumn
    , FwqStats = FwqStats
    , SampleFile = SampleFile
    , SampleStats = SampleStats
    , HistoryMetric = HistoryMetric
    , HistoryPoint = HistoryPoint
    , HistoryStep = HistoryStep
    , HistorySeries = HistorySeries
    , History = History
    , SourceUnread = SourceUnread
    , SourceFiles = SourceFiles
    , SourcePlace = SourcePlace
    , SourceReach = SourceReach
    , SourceDefinitionKind = SourceDefinitionKind
    , SourceDefinition = SourceDefinition
    , SourceMacro = SourceMacro
    , SourcePrint = SourcePrint
    , AuditSource = AuditSource
    , ExpectedLane = ExpectedLane
    , ProbeResult = ProbeResult
    , HostProbeRun = HostProbeRun
    , KernelLane = KernelLane
    , ValidationResult = ValidationResult
    , KernelValidationRun = KernelValidationRun
    , TraceOrigin = TraceOrigin
    , Trace = Trace
    , CaptureKind = CaptureKind
    , CaptureFacts = CaptureFacts
    , Capture = Capture
    , Projection = Projection
    , CompareWarning = CompareWarning
    , CompareFigure = CompareFigure
    , DifferenceVerdict = DifferenceVerdict
    , CompareDifference = CompareDifference
    , CompareRatio = CompareRatio
    , CompareInput = CompareInput
    , CompareRun = CompareRun
    }
