package keyless

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// How long the program may take.
const (
	verifyTime = 30 * time.Second
	signTime   = 3 * time.Minute
)

// Client asks the program. It starts it with the first question and keeps it for the next ones; [Client.Close] ends
// it. Questions of several goroutines are asked one after the other.
type Client struct {
	// Program is the path of the program. Empty stands for the one beside the running executable.
	Program string

	mu      sync.Mutex
	process *process
}

// Verify gives the identity that a bundle is verified to be signed by. The error is a [*Refused] or a [*Failure].
func (c *Client) Verify(ctx context.Context, d Demand) (sign.Identity, error) {
	if err := d.Check(); err != nil {
		return sign.Identity{}, err
	}
	answer, err := c.ask(ctx, verifyTime, encodeDemand(d))
	if err != nil {
		return sign.Identity{}, err
	}
	signed, err := decodeAnswer(answer, false)
	if err != nil {
		return sign.Identity{}, c.judge(err)
	}
	// The program is ours; that it compared what it was asked to compare is held once more where it costs nothing.
	switch {
	case d.Issuer != "" && signed.Identity.Issuer != d.Issuer:
		return sign.Identity{}, Refuse(diag.CodeKeylessIssuer, "expected", d.Issuer, "found", shown(signed.Identity.Issuer))
	case d.Subject != "" && signed.Identity.Subject != d.Subject:
		return sign.Identity{}, Refuse(diag.CodeKeylessSubject, "expected", d.Subject, "found", shown(signed.Identity.Subject))
	}
	return signed.Identity, nil
}

// VerifyIdentity verifies a bundle and gives the identity that its certificate names, for the caller to compare whole.
// Its errors are those of [Client.Verify].
func (c *Client) VerifyIdentity(ctx context.Context, trustedRoot, bundle []byte, artifact digest.Digest) (sign.Identity, error) {
	return c.Verify(ctx, Demand{TrustedRoot: trustedRoot, Bundle: bundle, Artifact: artifact})
}

// Sign signs by the identity of the order's token. The error is a [*Refused] or a [*Failure].
func (c *Client) Sign(ctx context.Context, o Order) (Signed, error) {
	if err := o.Check(); err != nil {
		return Signed{}, err
	}
	answer, err := c.ask(ctx, signTime, encodeOrder(o))
	if err != nil {
		return Signed{}, err
	}
	signed, err := decodeAnswer(answer, true)
	if err != nil {
		return Signed{}, c.judge(err)
	}
	// What is given out holds the very statement that was ordered.
	made, err := sign.Decode(signed.Bundle)
	if err != nil || made.Certificate() == nil || !bytes.Equal(made.Payload(), o.Payload) {
		return Signed{}, c.judge(NewFailure(err, diag.CodeKeylessProgramAnswer, "why", "its bundle does not hold what was ordered"))
	}
	return signed, nil
}

// Close ends the program, if it runs.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return nil
	}
	ended := c.process
	c.process = nil
	return ended.close()
}

// ask asks one question. After a fault the program is ended, because what it would say next belongs to nothing.
func (c *Client) ask(ctx context.Context, patience time.Duration, question []byte) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, NewFailure(err, diag.CodeKeylessProgramFailed, "why", "it was interrupted")
	}
	if c.process == nil {
		started, err := start(c.Program)
		if err != nil {
			return nil, err
		}
		c.process = started
	}
	running := c.process
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	unwatch := context.AfterFunc(bounded, running.kill)
	answer, err := exchange(running, question)
	if !unwatch() {
		err = context.Cause(bounded)
	}
	if err == nil {
		return answer, nil
	}
	c.process = nil
	return nil, explain(err, running.end())
}

// exchange writes a question and reads its answer.
func exchange(running *process, question []byte) ([]byte, error) {
	if err := WriteMessage(running.in, question); err != nil {
		return nil, err
	}
	answer, err := ReadMessage(running.out)
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	return answer, err
}

// explain says why there is no answer.
func explain(err error, words string) *Failure {
	switch {
	case errors.Is(err, ErrMessage):
		return NewFailure(err, diag.CodeKeylessProgramAnswer, "why", shown(err.Error()))
	case errors.Is(err, context.DeadlineExceeded):
		return NewFailure(err, diag.CodeKeylessProgramFailed, "why", "it took too long")
	case errors.Is(err, context.Canceled):
		return NewFailure(err, diag.CodeKeylessProgramFailed, "why", "it was interrupted")
	case words != "":
		return NewFailure(err, diag.CodeKeylessProgramFailed, "why", words)
	default:
		return NewFailure(err, diag.CodeKeylessProgramFailed, "why", "it ended without an answer")
	}
}

// judge ends a program that gave an answer which is none.
func (c *Client) judge(err error) error {
	var failed *Failure
	if errors.As(err, &failed) && (failed.Problem.Code == diag.CodeKeylessProgramAnswer || failed.Problem.Code == diag.CodeKeylessProgramVersion) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.process != nil {
			c.process.end()
			c.process = nil
		}
	}
	return err
}
