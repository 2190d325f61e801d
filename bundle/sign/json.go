package sign

import (
	"errors"
	"strconv"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// jsonCodes are the codes of one kind of document for what the strict scan refuses.
type jsonCodes struct {
	syntax, duplicate, trailing, limit, text, number, form diag.Code
}

func bundleJSON() jsonCodes {
	return jsonCodes{
		syntax: diag.CodeBundleJSONSyntax, duplicate: diag.CodeBundleJSONDuplicate, trailing: diag.CodeBundleJSONTrailing,
		limit: diag.CodeBundleJSONLimit, text: diag.CodeBundleJSONText, number: diag.CodeBundleJSONNumber,
	}
}

func statementJSON() jsonCodes {
	return jsonCodes{
		syntax: diag.CodeStatementJSONSyntax, duplicate: diag.CodeStatementJSONDuplicate, trailing: diag.CodeStatementJSONTrailing,
		limit: diag.CodeStatementJSONLimit, text: diag.CodeStatementJSONText, number: diag.CodeStatementJSONNumber,
		form: diag.CodeStatementNotCanonical,
	}
}

// problem says what the scan refused.
func (c jsonCodes) problem(err error) diag.Problem {
	var failed *canonical.Error
	if !errors.As(err, &failed) {
		failed = &canonical.Error{Kind: canonical.Syntax}
	}
	code := c.syntax
	switch failed.Kind {
	case canonical.DuplicateMember:
		code = c.duplicate
	case canonical.TrailingData:
		code = c.trailing
	case canonical.TooDeep, canonical.TooLarge, canonical.TooManyValues:
		code = c.limit
	case canonical.InvalidUTF8, canonical.LoneSurrogate:
		code = c.text
	case canonical.InexactNumber:
		code = c.number
	case canonical.NotCanonical:
		code = c.form
	}
	return diag.New(code, failed.Pointer,
		"offset", strconv.FormatInt(failed.Offset, 10), "member", failed.Name, "number", failed.Name, "kind", string(failed.Kind))
}

func limits() canonical.Limits {
	return canonical.Limits{Bytes: MaxBundle, Depth: maxDepth, Values: maxValues}
}
