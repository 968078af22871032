let HistoryMetric =
      { id : Text -- declared: name of the figure
      , runs : Natural -- measured: runs that have it
      , unit : Text -- declared: of its values
      , text : Text -- declared: what it is
      }

let HistoryPoint =
      { folder : Text -- measured: the run folder's name
      , started_utc : Optional Text -- measured: RFC 3339
      , value : Double -- measured: in the metric's unit
      , kernel : Optional Text -- measured: kernel release
      , boot_id : Optional Text -- measured: boot it ran on
      , complete : Bool -- measured: false: the run ended early; such points are shown and not judged
      }

let HistoryStep =
      { at : Natural -- derived: index of the first point of the new level
      , folder : Text -- derived: its run folder
      , ratio : Optional Double -- derived: median after over median before, between the neighbouring steps; None: not every value is above 0
      , difference : Double -- derived: median after minus median before, in the metric's unit
      , p : Double -- derived: share of orders that split as well
      , superiority : Double -- derived: probability that a value after the step is beyond one before it
      }

let HistorySeries =
      { host : Optional Text -- measured: host label
      , machine : Optional Text -- measured: machine hash
      , lane : Optional Text -- measured: realtime lane
      , tag : Optional Text -- measured: tag of the runs
      , points : List HistoryPoint -- in order of time
      , steps : List HistoryStep -- where the level changed for good
      , unjudged : Optional Text -- derived: why no step can be found here; None: looked for
      }

let History =
      { schema : Text -- declared: History/1
      , tool_version : Text -- measured: version of noisefloor
      , metric : Optional Text -- declared: figure asked for; None: the list of figures was
      , unit : Optional Text -- declared: of its values
      , text : Optional Text -- declared: what it is
      , lower_is_better : Optional Bool -- declared: which direction is better
      , metrics : List HistoryMetric -- figures that runs here have; empty when one was asked for
      , series : List HistorySeries -- one per machine, lane and tag
      , uncommitted : Natural -- measured: run folders without a MANIFEST, left out
      , notes : List Text -- measured: what a reader must know
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this does not show
      }

in  History
