package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

func keygenCommand() *command {
	return &command{
		Command: &cli.Command{
			Name: "keygen", Usage: "make a key pair to sign with",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write `PREFIX`.key, encrypted, and PREFIX.pub; neither may exist"},
				passwordFlag(),
			},
		},
		formats: []string{"text", "json"}, run: runKeygen,
	}
}

type keygenMember struct {
	Key           string `json:"key"`
	Algorithm     string `json:"algorithm"`
	Private       string `json:"private"`
	Public        string `json:"public"`
	EmptyPassword bool   `json:"empty_password"`
}

func runKeygen(ctx context.Context, c *call) (answer, error) {
	prefix := c.String("output")
	switch {
	case prefix == "":
		return answer{}, usagef("write -o PREFIX", "keygen needs a name for the two files")
	case prefix == "-":
		return answer{}, usagef("write -o PREFIX", "keygen writes two files, and - is one stream")
	case strings.HasSuffix(prefix, "/") || strings.HasSuffix(prefix, string(filepath.Separator)):
		return answer{}, usagef("write -o "+prefix+"NAME", "%s is a folder, and keygen needs a name in it", prefix)
	}
	private, public := prefix+".key", prefix+".pub"
	for _, path := range []string{private, public} {
		if exists(path) {
			return answer{}, alreadyThere(path)
		}
	}
	password, err := c.newPassword(ctx)
	if err != nil {
		return answer{}, err
	}
	defer clear(password)
	key, err := sign.GenerateKey()
	if err != nil {
		return answer{}, err
	}
	sealed, err := key.EncryptedPEM(password)
	if err != nil {
		return answer{}, err
	}
	if err := placePair(ctx, private, sealed, public, key.Public().PEM()); err != nil {
		return answer{}, err
	}
	m := keygenMember{
		Key: key.Public().ID().String(), Algorithm: key.Public().Algorithm(),
		Private: filepath.ToSlash(private), Public: filepath.ToSlash(public), EmptyPassword: len(password) == 0,
	}
	return answer{members: m, text: func(w io.Writer) error { return keygenText(w, m) }}, nil
}

func keygenText(w io.Writer, m keygenMember) error {
	p := &printer{w: w}
	p.line("key      %s (%s)", m.Key, m.Algorithm)
	p.line("private  %s: encrypted; keep it where it signs, and nowhere else", diag.Escape(m.Private))
	p.line("public   %s: give it to those who verify", diag.Escape(m.Public))
	if m.EmptyPassword {
		p.line("The password is EMPTY: whoever reads %s can sign.", diag.Escape(m.Private))
	}
	return p.err
}

// alreadyThere is the error for a file that would have to be replaced.
func alreadyThere(path string) error {
	return fmt.Errorf("%w: %s; a key that is overwritten is lost for ever, so choose another name or move it away", fs.ErrExist, path)
}

// placePair writes the two files of a key pair, both or none.
func placePair(ctx context.Context, private string, sealed []byte, public string, plain []byte) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := placeNew(private, sealed, 0o600); err != nil {
		return err
	}
	if err := placeNew(public, plain, 0o644&^umask()); err != nil {
		return errors.Join(err, os.Remove(private))
	}
	return syncFolder(filepath.Dir(private))
}

// placeNew puts a file where none is: it appears whole or not at all, and never in the place of another one.
func placeNew(path string, data []byte, mode fs.FileMode) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	if _, err := temporary.Write(data); err != nil {
		return errors.Join(err, temporary.Close())
	}
	if err := errors.Join(temporary.Chmod(mode), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	// A link, unlike a rename, fails if the name is taken. Where there are none, the name is taken first.
	err = os.Link(temporary.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = renameNew(temporary.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		return alreadyThere(path)
	}
	return err
}

// renameNew takes a name that is free with an empty file, and puts the whole one there.
func renameNew(temporary, path string) error {
	taken, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(taken.Close(), os.Rename(temporary, path))
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
