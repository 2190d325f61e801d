package sign_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// pluginPrefix is how the programs of plugins are called. A link of that name to the test binary is a plugin.
const pluginPrefix = "sigstore-kms-"

func TestMain(m *testing.M) {
	if name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), pluginPrefix); ok {
		os.Exit(plugin(name))
	}
	os.Exit(m.Run())
}

// plugin answers as a key management service would: the resource is the path of a private key. It leaves a trace of
// having run.
func plugin(name string) int {
	var request struct {
		InitOptions struct{ KeyResourceID string }
		MethodName  string
	}
	if err := json.Unmarshal([]byte(os.Args[2]), &request); err != nil {
		return 1
	}
	_, path, _ := strings.Cut(request.InitOptions.KeyResourceID, "://")
	if path == "" {
		path = request.InitOptions.KeyResourceID
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "ran"), nil, 0o600); err != nil {
		return 1
	}
	key, _, err := sign.OpenSigner(context.Background(), path, sign.KeyOptions{})
	if err != nil {
		return 1
	}
	answer := map[string]any{}
	switch {
	case name == "silent":
	case name == "angry":
		answer["errorMessage"] = "access denied"
	case request.MethodName == "publicKey":
		answer["publicKey"] = map[string]any{"publicKeyPEM": key.Public().PEM()}
	case name == "liar":
		answer["signMessage"] = map[string]any{"signature": []byte("signed")}
	default:
		message, err := io.ReadAll(os.Stdin)
		if err != nil {
			return 1
		}
		signature, err := key.Sign(context.Background(), message)
		if err != nil {
			return 1
		}
		answer["signMessage"] = map[string]any{"signature": signature}
	}
	if json.NewEncoder(os.Stdout).Encode(answer) != nil {
		return 1
	}
	return 0
}

// installed makes plugins of the given names in a folder of the search path. It gives the references of a key, and a
// function that tells whether any of them ran.
func installed(t *testing.T, names ...string) (key *sign.PrivateKey, resource string, ran func() bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range names {
		if err := os.Symlink(self, filepath.Join(folder, pluginPrefix+name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	key, plain := plainKey(t)
	resource = filepath.Join(folder, "a.key")
	if err := os.WriteFile(resource, plain, 0o600); err != nil {
		t.Fatal(err)
	}
	return key, resource, func() bool {
		_, err := os.Stat(filepath.Join(folder, "ran"))
		return err == nil
	}
}

// A key reference names a program. Nothing runs unless that was allowed, and never a program whose name is not one of a
// plugin.
func TestAttack47(t *testing.T) {
	key, resource, ran := installed(t, "test", "..", "Test", "te st", "a.b")
	for _, reference := range []string{"test://" + resource, "awskms:///alias/x", "gcpkms://x"} {
		_, _, err := sign.OpenSigner(context.Background(), reference, sign.KeyOptions{})
		only(t, problemsOf(err), diag.CodeKeyPluginDisabled, "")
		_, err = sign.OpenPublicKey(context.Background(), reference, sign.KeyOptions{})
		only(t, problemsOf(err), diag.CodeKeyPluginDisabled, "")
	}
	allowed := sign.KeyOptions{AllowPlugins: true}
	for _, name := range []string{"../test", "..", "Test", "te st", "a.b", "/bin/sh", "test;id", "$(id)", "tést", "test\x00", "-x/..", strings.Repeat("a", 65)} {
		_, _, err := sign.OpenSigner(context.Background(), name+"://"+resource, allowed)
		only(t, problemsOf(err), diag.CodeKeyReference, "")
	}
	if ran() {
		t.Fatal("a program ran")
	}
	_, _, err := sign.OpenSigner(context.Background(), "absent://x", allowed)
	only(t, problemsOf(err), diag.CodeKeyPluginMissing, "")

	signer, warnings, err := sign.OpenSigner(context.Background(), "test://"+resource, allowed)
	if err != nil || len(warnings) > 0 || !ran() {
		t.Fatalf("allowed: %v", err)
	}
	if signer.Public().ID() != key.Public().ID() {
		t.Error("another key")
	}
	verifies(t, signed(t, signer, release().Statement(build)), key.Public())
	public, err := sign.OpenPublicKey(context.Background(), "test://"+resource, allowed)
	if err != nil || public.ID() != key.Public().ID() {
		t.Errorf("the public key: %v", err)
	}
}

// Programs of the working folder are not run, even if the search path names it.
func TestPluginsOfTheWorkingFolder(t *testing.T) {
	_, resource, ran := installed(t, "test")
	t.Chdir(filepath.Dir(resource))
	t.Setenv("PATH", ".")
	_, _, err := sign.OpenSigner(context.Background(), "test://"+resource, sign.KeyOptions{AllowPlugins: true})
	only(t, problemsOf(err), diag.CodeKeyPluginMissing, "")
	if ran() {
		t.Error("it ran")
	}
}

// What a plugin gives is not believed.
func TestBadPlugins(t *testing.T) {
	_, resource, _ := installed(t, "silent", "angry", "liar")
	allowed := sign.KeyOptions{AllowPlugins: true}
	for _, name := range []string{"silent", "angry"} {
		_, _, err := sign.OpenSigner(context.Background(), name+"://"+resource, allowed)
		only(t, problemsOf(err), diag.CodeKeyPluginFailed, "")
		if name == "angry" && !strings.Contains(problemsOf(err)[0].Data["why"], "access denied") {
			t.Errorf("it does not say why: %v", problemsOf(err))
		}
	}
	signer, _, err := sign.OpenSigner(context.Background(), "liar://"+resource, allowed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sign.Sign(context.Background(), signer, release().Statement(build))
	only(t, problemsOf(err), diag.CodeSigningFailed, "")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := sign.OpenSigner(cancelled, "liar://"+resource, allowed); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
