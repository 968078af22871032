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

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
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

in  Projection
