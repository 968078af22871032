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

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
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

in  CompareRun
