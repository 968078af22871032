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

in  HostProbeRun
