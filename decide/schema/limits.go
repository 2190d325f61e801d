package schema

// Limits of a schema. They are part of the profile: a change of one is another profile.
const (
	MaxSchemaBytes     = 64 << 10 // compact UTF-8 of the stripped schema
	MaxNesting         = 16       // schemas within schemas; the root is 0
	MaxSubschemas      = 1024     // the root and everything below, `true` and `false` included
	MaxReferences      = 256      // `$ref`s
	MaxExpanded        = 4096     // subschemas after following references from the root
	MaxProperties      = 256      // of one object
	MaxPropertiesTotal = 512
	MaxPropertyName    = 256 // code points of a property's name
	MaxBranches        = 32  // of one anyOf, oneOf or allOf; also entries of prefixItems
	MaxBranchesTotal   = 128 // over all anyOf, oneOf and allOf
	MaxEnum            = 512 // values of one enum
	MaxEnumBytes       = 32 << 10
	MaxPatterns        = 128
	MaxPatternBytes    = 1024
	MaxPatternSize     = 16 << 10 // matching instructions of one pattern, repetitions multiplied out
	MaxPatternTotal    = 64 << 10 // over all patterns
	MaxDescription     = 8192     // code points
	MaxTitle           = 1024     // code points
	maxSafeInteger     = 1<<53 - 1
	maxJSONDepth       = 64 // of the schema as a JSON value
)

// Limits of a value that is validated. Exceeding one is a violation of kind "limit".
const (
	MaxValueDepth      = 32        // arrays and objects within each other
	MaxValueNodes      = 10_000    // values within an argument object
	MaxValueBytes      = 256 << 10 // compact UTF-8, arguments
	MaxOtherValueBytes = 4 << 20   // compact UTF-8, results and inputs
	MaxOtherValueNodes = 100_000   // values within a result or inputs
	MaxSteps           = 2_000_000
	MaxViolations      = 100 // reported of one value; the first in order
)
