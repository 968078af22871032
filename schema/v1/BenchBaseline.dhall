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

in  BenchBaseline
