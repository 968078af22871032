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

let Result =
      < blocked | fail | partial | pass >

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
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

in  PropertyRun
