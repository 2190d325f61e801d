package definition

// Secret is a part of a text that is a credential by its form.
type Secret struct {
	// Kind says, in a few words, what it is: "private key", "cloud access key".
	Kind string
	// Offset and Length are in bytes of the text.
	Offset, Length int
}

// FindSecrets finds credentials in a text, in order and without overlaps: those of known forms (see the table of
// shapes), passwords in addresses and connection strings, authorization headers, and opaque values beside a word that
// says that they are secret. Placeholders, digests, UUIDs, commit hashes and plain words are not taken for one. It
// reports at most the first 20, and its time grows linearly with the text.
func FindSecrets(text string) []Secret {
	s := secretScan{text: text}
	for s.at < len(text) && len(s.found) < maxSecrets {
		if kind, start, end := s.here(); kind != "" {
			s.found = append(s.found, Secret{Kind: kind, Offset: start, Length: end - start})
			s.at = end
			continue
		}
		s.skip()
	}
	return s.found
}

// skip moves behind the current byte, and behind the rest of the letters and digits if it is one: a known form begins
// at the first of them.
func (s *secretScan) skip() {
	if isAlphanumeric(s.text[s.at]) {
		for s.at+1 < len(s.text) && isAlphanumeric(s.text[s.at+1]) {
			s.at++
		}
	}
	s.at++
}

// secretScan goes through a text once.
type secretScan struct {
	text  string
	at    int
	found []Secret
	// runs are the last measured run of each class, and of the second and third part of a signed token, so that no
	// run is measured twice.
	runs [classes + 2]struct{ start, end int }
}

// here is the secret that begins, or is betrayed by what stands, at the current byte.
func (s *secretScan) here() (kind string, start, end int) {
	switch c := s.text[s.at]; {
	case c == ':' || c == '=':
		return s.named()
	case c == '-':
		return s.privateKey()
	case isAlphanumeric(c) && (s.at == 0 || !isAlphanumeric(s.text[s.at-1])):
		if kind, end := s.shape(s.at); kind != "" {
			return kind, s.at, end
		}
		return s.header()
	}
	return "", 0, 0
}

// shape is the known form that begins at an offset, and where it ends.
func (s *secretScan) shape(at int) (kind string, end int) {
	if at >= len(s.text) {
		return "", 0
	}
	for _, shape := range shapesByFirst()[s.text[at]] {
		if end, ok := s.fits(shape, at); ok {
			return shape.kind, end
		}
	}
	return s.signedToken(at)
}

func (s *secretScan) fits(shape *secretShape, at int) (end int, ok bool) {
	rest := s.text[at:]
	if len(rest) < len(shape.prefix)+shape.least || rest[:len(shape.prefix)] != shape.prefix {
		return 0, false
	}
	start := at + len(shape.prefix)
	end = s.run(int(shape.class), shape.class, start)
	length := end - start
	if length < shape.least || shape.most > 0 && length > shape.most {
		return 0, false
	}
	return end, !repeats(s.text[start:end])
}

// signedToken is a JSON Web Token: three parts in base64url, of which the first two are objects.
func (s *secretScan) signedToken(at int) (kind string, end int) {
	const object = "eyJ" // {" in base64
	const least = 10
	if len(s.text)-at < 3*least || s.text[at:at+len(object)] != object {
		return "", 0
	}
	first := s.run(int(base64URL), base64URL, at)
	if first-at < least || first+len(object) >= len(s.text) || s.text[first:first+1+len(object)] != "."+object {
		return "", 0
	}
	second := s.run(int(classes), base64URL, first+1)
	if second-first < least || second >= len(s.text) || s.text[second] != '.' {
		return "", 0
	}
	third := s.run(int(classes)+1, base64URL, second+1)
	if third-second < least {
		return "", 0
	}
	return "signed token", third
}

// run is where the run of a class ends that holds at.
func (s *secretScan) run(slot int, class charClass, at int) int {
	last := &s.runs[slot]
	if last.start <= at && at < last.end {
		return last.end
	}
	last.start = at
	for at < len(s.text) && class.has(s.text[at]) {
		at++
	}
	last.end = at
	return at
}

// repeats tells a value that is one character again and again, or a row of them, as placeholders have it.
func repeats(value string) bool {
	same := 1
	for i := 1; i < len(value); i++ {
		if value[i] != value[i-1] {
			same = 1
			continue
		}
		if same++; same >= 6 {
			return true
		}
	}
	return false
}
