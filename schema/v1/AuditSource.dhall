let SourceUnread =
      { path : Text -- measured: file or folder
      , why : Text -- measured: what the system said
      }

let SourceFiles =
      { read : Natural -- measured: source files that were read
      , bytes : Natural -- measured: bytes of them
      , binary : Natural -- measured: files passed over: a NUL among their first 8,192 bytes
      , large : Natural -- measured: files passed over: more than 256 MiB
      , same : Natural -- measured: files passed over: names of one that was read
      , links : Natural -- measured: symbolic links inside folders, not followed
      , unreadable : Natural -- measured: files and folders that could not be read
      , lost : Natural -- measured: files that could not be read a second time: what was found in them is missing
      , unread : List SourceUnread -- the first of them
      }

let SourcePlace =
      { path : Text -- measured: file, as it was reached from what was named
      , line : Natural -- measured: line in it, from 1
      }

let SourceReach =
      < same_folder | same_file | include | includer >

let SourceDefinitionKind =
      < zero | otherwise | undefined >

let SourceDefinition =
      { kind : SourceDefinitionKind -- measured: defined as 0, defined otherwise, or undefined
      , place : SourcePlace -- where
      }

let SourceMacro =
      { macro : Text -- measured: the macro's name
      , zero : SourcePlace -- where it is defined as 0
      , test : SourcePlace -- where its definedness is asked for
      , condition : Text -- measured: the directive that asks, on one line
      , reach : SourceReach -- derived: how the definition reaches the test
      , via : Optional SourcePlace -- the #include line that connects the two; None: the same file, or none is known
      , certain : Bool -- derived: the definition reaches the test, and nothing says that 0 is meant as a number
      , doubt : Optional Text -- derived: why it is less than certain, or what else the test may see; None: nothing
      , also : List SourceDefinition -- other definitions that the test may see, the first of them
      , also_count : Natural -- measured: of them in all
      , elsewhere : Natural -- measured: definitions otherwise and #undefs in files that do not reach the test
      }

let SourcePrint =
      { function : Text -- measured: the function that holds all three places; empty: not recognised
      , call : Text -- measured: what prints
      , print : SourcePlace -- where it prints
      , begin : SourcePlace -- the clock is read
      , end : SourcePlace -- and read again
      , certain : Bool -- derived: no condition stands between the region and the print
      , doubt : Optional Text -- derived: why it is less than certain; None: nothing
      }

let Honesty =
      { measured : List Text -- derived: paths read from a clock, a counter or the system
      , derived : List Text -- derived: paths computed from measured values
      , declared : List Text -- derived: paths said by the user or chosen before measuring
      , synthetic : List Text -- derived: paths made up to exercise the program
      }

let AuditSource =
      { schema : Text -- declared: AuditSource/1
      , tool_version : Text -- measured: version of noisefloor
      , command : List Text -- declared: command line as given, one word each
      , read_utc : Text -- measured: RFC 3339 UTC
      , paths : List Text -- declared: files and folders that were named
      , complete : Bool -- measured: everything in them was read
      , files : SourceFiles -- what was read and what was not
      , zeros : Natural -- measured: macros defined as 0: directives
      , tests : Natural -- measured: tests of definedness: names in #ifdef, #ifndef, defined and their like
      , names : Natural -- measured: macros that have both, in whatever files
      , includes_followed : Natural -- measured: #include lines followed to a file of the tree
      , includes_outside : Natural -- measured: #include lines that name no file of the tree
      , includes_ambiguous : Natural -- measured: #include lines that several files could be meant by: not followed
      , timed_regions : Natural -- measured: regions between two reads of a clock in one function
      , macros : List SourceMacro -- by the test's place; the uncertain ones where all were asked for
      , prints : List SourcePrint -- by the print's place; the uncertain ones where all were asked for
      , uncertain_macros : Natural -- derived: uncertain ones, listed or not
      , uncertain_prints : Natural -- derived: uncertain ones, listed or not
      , replaced_text : Natural -- derived: broken UTF-8 sequences and non-characters replaced in texts
      , claim_ceiling : Text -- declared: what this record does not show
      , honesty : Honesty -- paths of this record by where their values come from
      }

in  AuditSource
