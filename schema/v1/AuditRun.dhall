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

in  AuditRun
