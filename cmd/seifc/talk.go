package main

import (
	"bytes"
	"io"

	"github.com/seif-dev/seifc/diag"
)

// talk passes on what another program says to a person: line by line, with everything that nobody sees written out, and
// no more than maxTalk bytes of it.
type talk struct {
	to   io.Writer
	line []byte
	said int
}

const (
	maxTalk     = 64 << 10
	maxTalkLine = 4 << 10
)

func (t *talk) Write(data []byte) (int, error) {
	rest := data
	for len(rest) > 0 {
		line, more, ended := bytes.Cut(rest, []byte{'\n'})
		if room := maxTalkLine - len(t.line); len(line) > room {
			line = line[:room]
		}
		t.line = append(t.line, line...)
		rest = more
		if ended {
			if err := t.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(data), nil
}

// flush passes on the line that was gathered.
func (t *talk) flush() error {
	if len(t.line) == 0 || t.said > maxTalk {
		t.line = t.line[:0]
		return nil
	}
	text := diag.Escape(string(t.line)) + "\n"
	if t.said += len(text); t.said > maxTalk {
		text = "... it says more than is shown\n"
	}
	t.line = t.line[:0]
	_, err := io.WriteString(t.to, text)
	return err
}
