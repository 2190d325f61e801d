package compiler

import (
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/manifest"
)

// suppress drops the findings that a suppression of the Project names, and reports suppressions that may not be or
// that apply to nothing any more. A suppression holds for one code in one file, and only while the file's content is
// what it was written for.
func suppress(in *loaded, report []diag.Diagnostic) []diag.Diagnostic {
	for _, s := range in.project.Suppressions {
		if s.Code == "" {
			continue // it could not be read, and that was reported
		}
		entry, known := diag.Lookup(s.Code)
		if !known || !entry.Suppressible {
			report = append(report, diag.At(s.File, diag.New(diag.CodeSuppressionRefused, s.Pointer+"/code", "code", s.Code))...)
			continue
		}
		if why := stale(in, s); why != "" {
			report = append(report, staleFinding(s, why)...)
			continue
		}
		kept := report[:0:0]
		for _, d := range report {
			if string(d.Code) != s.Code || d.Place.Path != in.tree.Shown+s.Path {
				kept = append(kept, d)
			}
		}
		if len(kept) == len(report) {
			kept = append(kept, staleFinding(s, "there is nothing to suppress")...)
		}
		report = kept
	}
	return diag.Sort(report)
}

func stale(in *loaded, s manifest.Suppression) string {
	raw, ok := in.raw[in.tree.Shown+s.Path]
	if !ok {
		return "the Project reads no file " + s.Path
	}
	actual, err := contentDigest(in, s, raw)
	if err != nil {
		return "the file has no digest: " + err.Error()
	}
	if actual.String() != s.Digest {
		return "the file now has the digest " + actual.String()
	}
	return ""
}

// contentDigest is the digest that a suppression names: of the file's bytes. The Project file holds the suppressions
// themselves, so there it is of the canonical form of all the rest.
func contentDigest(in *loaded, s manifest.Suppression, raw []byte) (digest.Digest, error) {
	if s.Path != in.tree.Project {
		return digest.Of(raw), nil
	}
	members, _ := in.project.File.At("").Value().(map[string]any)
	delete(members, "suppressions")
	return digest.OfValue(members)
}

func staleFinding(s manifest.Suppression, why string) []diag.Diagnostic {
	return diag.At(s.File, diag.New(diag.CodeSuppressionStale, s.Pointer, "code", s.Code, "why", why))
}
