package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// errNoTerminal says that nobody can be asked.
var errNoTerminal = errors.New("there is no terminal to ask at")

// askTerminal asks at the terminal of the process, whatever stdin and stdout are, and does not show what is typed. The
// terminal is as it was before afterwards, also when the command is interrupted meanwhile.
func askTerminal(ctx context.Context, prompt string) ([]byte, error) {
	in, out, err := openTerminal()
	if err != nil {
		return nil, errNoTerminal
	}
	defer out.Close()
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		in.Close()
		return nil, errNoTerminal
	}
	if _, err := fmt.Fprint(out, prompt); err != nil {
		in.Close()
		return nil, err
	}
	typed, err := interruptibly(ctx, func() ([]byte, error) {
		defer in.Close()
		return term.ReadPassword(fd)
	})
	if ctx.Err() != nil {
		_ = term.Restore(fd, before)
	}
	_, ended := fmt.Fprintln(out)
	return typed, errors.Join(err, ended)
}

// openTerminal opens what the person types at and looks at.
func openTerminal() (in, out *os.File, err error) {
	if in, err = os.OpenFile(terminalIn, os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	if out, err = os.OpenFile(terminalOut, os.O_RDWR, 0); err != nil {
		in.Close()
		return nil, nil, err
	}
	return in, out, nil
}
