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

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
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

in  SampleStats
