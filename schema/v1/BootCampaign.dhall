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

let BootPattern =
      { name : Text -- declared: what it is called
      , pattern : Text -- declared: regular expression (PCRE2), unanchored
      , unit : Optional Text -- declared: of the value it finds; None: it is no value, or a plain number
      , config : Optional Text -- declared: configuration that it is of; None: of all
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

in  BootCampaign
