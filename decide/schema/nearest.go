package schema

import "github.com/seif-dev/seifc/diag"

// nearest finds the word of the profile that an unknown one is most likely meant to be, "" when none is near.
func nearest(name string) string {
	if len(name) > 40 {
		return ""
	}
	words := make([]string, 0, len(supported))
	for _, k := range supported {
		if k.effect != stripped && k.name != "definitions" {
			words = append(words, k.name)
		}
	}
	return diag.Nearest(name, words)
}
