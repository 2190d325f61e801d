package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// maxPassword bounds a password.
const maxPassword = 4 << 10

// passwordVariables are read in this order; the second is the one that cosign reads.
var passwordVariables = []string{"SEIFC_PASSWORD", "COSIGN_PASSWORD"}

func passwordFlag() cli.Flag {
	return &cli.BoolFlag{Name: "password-stdin", Usage: "read the password of the private key from stdin, up to its end; one line feed there is no part of it"}
}

// givenPassword is the password from where the command line or the environment have it: --password-stdin, then
// SEIFC_PASSWORD, then COSIGN_PASSWORD. A variable that is set and empty is an empty password. found is false if there is
// none.
func (c *call) givenPassword(ctx context.Context) (password []byte, found bool, err error) {
	if c.Bool("password-stdin") {
		password, err := interruptibly(ctx, func() ([]byte, error) { return readPassword(c.stdin) })
		return password, err == nil, err
	}
	for _, name := range passwordVariables {
		if value, set := c.lookupEnv(name); set {
			return []byte(value), true, nil
		}
	}
	return nil, false, nil
}

// interruptibly waits for something that a person or another program is to write, or until the command is interrupted.
// The read itself ends with the process.
func interruptibly(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := read()
		done <- result{data, err}
	}()
	select {
	case got := <-done:
		return got.data, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func readPassword(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPassword+1))
	if err != nil {
		return nil, fmt.Errorf("reading the password: %w", err)
	}
	if len(data) > maxPassword {
		return nil, fmt.Errorf("the password on stdin has more than %d bytes", maxPassword)
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	data = bytes.TrimSuffix(data, []byte("\r"))
	if bytes.ContainsAny(data, "\r\n") {
		return nil, errors.New("the password on stdin has several lines")
	}
	return data, nil
}

// errNoNewPassword is what keygen says when it can get a password from nowhere.
func errNoNewPassword() error {
	return usagef("set SEIFC_PASSWORD, use --password-stdin, or run it on a terminal; an empty password has to be given too",
		"there is no password for the key, and no terminal to ask for one")
}

// errNoPassword is the same about a key that is there and encrypted.
func errNoPassword() error { return &sign.KeyError{Problem: diag.New(diag.CodeKeyPasswordMissing, "")} }

// password gives the password of a private key that is there.
func (c *call) password() sign.PasswordFunc {
	return func(ctx context.Context) ([]byte, error) {
		if password, found, err := c.givenPassword(ctx); found || err != nil {
			return password, err
		}
		if c.secret == nil {
			return nil, errNoPassword()
		}
		password, err := c.secret(ctx, "password of the private key: ")
		if errors.Is(err, errNoTerminal) {
			return nil, errNoPassword()
		}
		return password, err
	}
}

// newPassword gives the password for a private key that is made; at a terminal it is typed twice.
func (c *call) newPassword(ctx context.Context) ([]byte, error) {
	if password, found, err := c.givenPassword(ctx); found || err != nil {
		return password, err
	}
	if c.secret == nil {
		return nil, errNoNewPassword()
	}
	first, err := c.secret(ctx, "password for the private key: ")
	if errors.Is(err, errNoTerminal) {
		return nil, errNoNewPassword()
	}
	if err != nil {
		return nil, err
	}
	second, err := c.secret(ctx, "the same again: ")
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(first, second) {
		return nil, errors.New("the two passwords differ; nothing was written")
	}
	return first, nil
}
