package bundle

import (
	"errors"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// jsonProblem says what is wrong with the JSON of a document of the Build.
func jsonProblem(document string, size, limit int, err error) diag.Problem {
	var failed *canonical.Error
	if !errors.As(err, &failed) {
		failed = &canonical.Error{Kind: canonical.Syntax}
	}
	return diag.New(jsonCode(failed.Kind), failed.Pointer,
		"document", document,
		"offset", strconv.FormatInt(failed.Offset, 10),
		"member", failed.Name,
		"number", failed.Name,
		"found", strconv.Itoa(size),
		"limit", strconv.Itoa(limit))
}

func jsonCode(kind canonical.Kind) diag.Code {
	switch kind {
	case canonical.DuplicateMember:
		return diag.CodeBuildJSONDuplicate
	case canonical.TrailingData:
		return diag.CodeBuildJSONTrailing
	case canonical.TooDeep:
		return diag.CodeBuildJSONTooDeep
	case canonical.TooLarge:
		return diag.CodeBuildJSONTooLarge
	case canonical.TooManyValues:
		return diag.CodeBuildJSONValues
	case canonical.InvalidUTF8:
		return diag.CodeBuildJSONUTF8
	case canonical.LoneSurrogate:
		return diag.CodeBuildJSONSurrogate
	case canonical.InexactNumber:
		return diag.CodeBuildJSONInexact
	case canonical.NotCanonical:
		return diag.CodeBuildJSONForm
	default:
		return diag.CodeBuildJSONSyntax
	}
}
