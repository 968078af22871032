let TimingBudget =
      { period_ns : Natural -- declared: period of the activity
      , max_jitter_ns : Natural -- declared: largest distance of an interval from the period
      , max_latency_ns : Natural -- declared: longest interval
      , max_smi : Optional Natural -- declared: most system management interrupts in a window
      , max_hwlat_ns : Optional Natural -- declared: longest hardware latency gap
      , max_noise_ratio : Optional Double -- declared: largest share of time lost to noise, 0 to 1
      , max_detour_ns : Optional Natural -- declared: longest single interruption of fixed work
      }

in  TimingBudget
