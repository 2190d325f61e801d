package sigstore

import "unicode/utf8"

// shown is the text of an error, bounded: it may repeat what a bundle or a service says.
func shown(err error) string { return clip(err.Error()) }

func clip(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
