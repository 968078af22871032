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

in  CaptureFacts
