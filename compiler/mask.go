package compiler

import "github.com/seif-dev/seifc/diag"

// maskSecrets puts stars in the place of what looks like a credential, in every source line that a finding shows:
// reports are copied to places where more people read than where the file is.
func maskSecrets(report []diag.Diagnostic) {
	secrets := map[line][][2]int{}
	for _, d := range report {
		if d.Code == diag.CodeSecret {
			from := d.Place.Start.Column
			to := d.Place.End.Column
			if d.Place.End.Line != d.Place.Start.Line {
				to = int(^uint(0) >> 1) // it goes on in the next line
			}
			at := line{d.Place.Path, d.Place.Start.Line}
			secrets[at] = append(secrets[at], [2]int{from, to})
		}
	}
	if len(secrets) == 0 {
		return
	}
	for i := range report {
		mask(&report[i].Place, secrets)
		for n := range report[i].Notes {
			mask(&report[i].Notes[n].Place, secrets)
		}
	}
}

func mask(place *diag.Place, secrets map[line][][2]int) {
	spans := secrets[line{place.Path, place.Start.Line}]
	if len(spans) == 0 || place.Snippet == "" {
		return
	}
	text := []rune(place.Snippet)
	for _, span := range spans {
		for column := max(span[0], 1); column < span[1] && column <= len(text); column++ {
			text[column-1] = '*'
		}
	}
	place.Snippet = string(text)
}
