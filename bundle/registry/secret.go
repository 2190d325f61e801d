package registry

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
)

// leastSecret is how long a text has to be to be a secret: shorter ones stand in every sentence.
const leastSecret = 4

// secrets are the texts by which a session has said who is there. A registry, and whatever stands before it, can send
// them back in any part of an answer; what is said of answers goes to terminals and logs.
type secrets struct {
	mu    sync.Mutex
	texts []string // the longest first
}

// add takes note of secrets, in each form in which they are sent.
func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		for _, form := range []string{text, url.QueryEscape(text)} {
			if len(form) >= leastSecret && !slices.Contains(s.texts, form) {
				s.texts = append(s.texts, form)
			}
		}
	}
	slices.SortStableFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
}

// addHeader takes note of what the header Authorization says (RFC 9110 section 11.6.2).
func (s *secrets) addHeader(value string) {
	scheme, rest, _ := strings.Cut(value, " ")
	if value == "" || rest == "" {
		return
	}
	s.add(rest)
	if plain, err := base64.StdEncoding.DecodeString(rest); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(plain), ":")
		s.add(password)
	}
}

// hide takes the secrets out of a text.
func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.texts {
		text = strings.ReplaceAll(text, secret, "(secret)")
	}
	return text
}

// hideIn takes the secrets out of what findings say.
func (s *secrets) hideIn(problems []diag.Problem) {
	for _, p := range problems {
		for name, value := range p.Data {
			p.Data[name] = s.hide(value)
		}
	}
}

// hideInError does so for an error of this room.
func (s *secrets) hideInError(err error) {
	var (
		fault   *Fault
		invalid *bundle.Invalid
	)
	if errors.As(err, &fault) {
		s.hideIn([]diag.Problem{fault.Problem})
	}
	if errors.As(err, &invalid) {
		s.hideIn(invalid.Problems)
	}
}
