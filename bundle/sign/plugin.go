package sign

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"io"

	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/sigstore/sigstore/pkg/signature/kms/cliplugin"
	"github.com/sigstore/sigstore/pkg/signature/options"

	"github.com/seif-dev/seifc/diag"
)

// pluginSigner signs by the program sigstore-kms-NAME.
type pluginSigner struct {
	name   string
	client pluginClient
	public PublicKey
}

// pluginClient is what is used of the program.
type pluginClient interface {
	PublicKey(opts ...signature.PublicKeyOption) (crypto.PublicKey, error)
	SignMessage(message io.Reader, opts ...signature.SignOption) ([]byte, error)
}

// openPlugin runs the program to ask it for its public key, if the caller allowed programs to run.
func openPlugin(ctx context.Context, ref reference, allowed KeyOptions) (Signer, error) {
	if !allowed.AllowPlugins {
		return nil, keyFault(diag.CodeKeyPluginDisabled, "plugin", ref.plugin)
	}
	client, err := cliplugin.LoadSignerVerifier(ctx, ref.whole, crypto.SHA256)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, pluginFault(diag.CodeKeyPluginMissing, ref.plugin, err)
	}
	s := &pluginSigner{name: ref.plugin, client: client}
	key, err := answer(func() (crypto.PublicKey, error) { return client.PublicKey(options.WithContext(ctx)) })
	if err != nil {
		return nil, pluginFault(diag.CodeKeyPluginFailed, ref.plugin, err)
	}
	if s.public, err = NewPublicKey(key); err != nil {
		return nil, err
	}
	return s, nil
}

// Public is the key that the program named when it was opened.
func (s *pluginSigner) Public() PublicKey { return s.public }

// Sign has the program sign a message, and verifies what it gave.
func (s *pluginSigner) Sign(ctx context.Context, message []byte) ([]byte, error) {
	signed, err := answer(func() ([]byte, error) {
		return s.client.SignMessage(bytes.NewReader(message), options.WithContext(ctx))
	})
	if err != nil {
		return nil, pluginFault(diag.CodeKeyPluginFailed, s.name, err)
	}
	if s.public.Verify(message, signed) != nil {
		return nil, keyFault(diag.CodeSigningFailed, "why", "the signature of the plugin does not verify with its public key")
	}
	return signed, nil
}

var errPluginAnswer = errors.New("the answer of the plugin lacks what was asked for")

// answer calls the client of the protocol, which dereferences members that the program's answer may lack.
func answer[T any](call func() (T, error)) (result T, err error) {
	defer func() {
		if recover() != nil {
			err = errPluginAnswer
		}
	}()
	return call()
}

func pluginFault(code diag.Code, name string, cause error) error {
	fault := keyFault(code, "plugin", name, "why", shown(cause.Error()))
	fault.cause = cause
	return fault
}
