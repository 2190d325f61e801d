package sign_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secure-systems-lab/go-securesystemslib/encrypted"

	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/diag"
)

// A key file that others may read gives a warning and works; a wrong password has its own code, which is no finding about
// the file; and whatever goes wrong, nothing of a key or password is told.
func TestAttack48(t *testing.T) {
	key := newKey(t)
	const password = "hunter2-hunter2"
	private, err := key.EncryptedPEM([]byte(password))
	if err != nil {
		t.Fatal(err)
	}
	openKey, plain := plainKey(t)
	folder := t.TempDir()
	for mode, warned := range map[fs.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o644: true, 0o620: true} {
		path := filepath.Join(folder, fmt.Sprintf("key-%o", mode))
		if err := errors.Join(os.WriteFile(path, plain, 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		signer, warnings, err := sign.OpenSigner(context.Background(), path, sign.KeyOptions{})
		if err != nil || signer.Public().ID() != openKey.Public().ID() {
			t.Fatalf("%o: %v", mode, err)
		}
		if !warned {
			if len(warnings) > 0 {
				t.Errorf("%o: %v", mode, warnings)
			}
			continue
		}
		only(t, warnings, diag.CodeKeyFileReadable, "")
		if warnings[0].Severity() != diag.Warning || warnings[0].Data["mode"] != fmt.Sprintf("0%o", mode) || warnings[0].Data["path"] != path {
			t.Errorf("%o: %v", mode, warnings)
		}
	}
	// The warning is not lost when the password is wrong.
	path := filepath.Join(folder, "encrypted")
	if err := errors.Join(os.WriteFile(path, private, 0o600), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	_, warnings, err := sign.OpenSigner(context.Background(), path, sign.KeyOptions{Password: give([]byte("hunter3"))})
	only(t, warnings, diag.CodeKeyFileReadable, "")
	only(t, problemsOf(err), diag.CodeKeyPasswordWrong, "")
	var fault *sign.KeyError
	if !errors.As(err, &fault) || fault.Wanting() {
		t.Error("a wrong password means that it could not be done")
	}
	for _, wrong := range []string{"", password + " "} {
		_, err := sign.ParsePrivateKey(context.Background(), private, give([]byte(wrong)))
		only(t, problemsOf(err), diag.CodeKeyPasswordWrong, "")
	}
}

// However keys and errors are printed, no part of a private key or a password comes out.
func TestNoKeyMaterialIsTold(t *testing.T) {
	key := newKey(t)
	const password = "hunter2-hunter2"
	private, err := key.EncryptedPEM([]byte(password))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(private)
	der, err := encrypted.Decrypt(block.Bytes, []byte(password))
	if err != nil {
		t.Fatal(err)
	}
	plain := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	// In PKCS #8 as Go writes it, the secret number of a P-256 key is these 32 bytes.
	at := bytes.Index(der, []byte{0x04, 0x20})
	if at < 0 {
		t.Fatal("there is no number in the key: this test shows nothing")
	}
	number := der[at+2 : at+34]

	// An Ed25519 key is a slice of bytes, which package fmt prints wherever it stands.
	seed := number
	edwards, err := sign.NewPrivateKey(ed25519.NewKeyFromSeed(seed))
	if err != nil {
		t.Fatal(err)
	}

	var told bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T"} {
		fmt.Fprintf(&told, verb+"\n", key)
		fmt.Fprintf(&told, verb+"\n", *key)
		fmt.Fprintf(&told, verb+"\n", struct{ k any }{*key})
		fmt.Fprintf(&told, verb+"\n", struct{ k *sign.PrivateKey }{key})
		fmt.Fprintf(&told, verb+"\n", struct{ k sign.PrivateKey }{*edwards})
		fmt.Fprintf(&told, verb+"\n", []sign.PrivateKey{*edwards})
		fmt.Fprintf(&told, verb+"\n", []any{key, struct{ K sign.Signer }{key}})
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&told, nil), slog.NewJSONHandler(&told, nil)} {
		slog.New(handler).Info("key", "key", key, "holder", struct{ Key *sign.PrivateKey }{key})
	}
	if err := json.NewEncoder(&told).Encode(map[string]any{"key": key}); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cut": plain[:len(plain)-40], "as SEC 1": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}),
		"as RSA": pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: der}), "half": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der[:80]}),
		"changed": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: append([]byte{0x31}, der[1:]...)}), "two": append(bytes.Clone(plain), plain...),
		"other type": pem.EncodeToMemory(&pem.Block{Type: "SECRET", Bytes: der}), "encrypted": private,
	} {
		_, err := sign.ParsePrivateKey(context.Background(), data, give([]byte(password+"!")))
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		tell(&told, err)
		if _, err = sign.ParsePublicKey(data); err == nil {
			t.Fatalf("%s: no error", name)
		}
		tell(&told, err)
	}
	// The key where its name belongs, with and without line ends.
	for _, reference := range []string{string(plain), strings.ReplaceAll(string(plain), "\n", ""), "env://" + string(plain), string(plain) + "://x"} {
		_, _, err := sign.OpenSigner(context.Background(), reference, sign.KeyOptions{AllowPlugins: true})
		if err == nil {
			t.Fatal("no error")
		}
		tell(&told, err)
	}
	secrets := map[string]string{"password": password, "hexadecimal": hex.EncodeToString(number[:6]), "upper case": strings.ToUpper(hex.EncodeToString(number[:6])), "bytes": string(number[:6]), "list": strings.Trim(fmt.Sprint(number[:4]), "[]")}
	for shift := range 3 {
		secrets[fmt.Sprint("base64 ", shift)] = base64.RawStdEncoding.EncodeToString(number[shift : shift+12])
	}
	for line := range strings.Lines(string(plain)) {
		if !strings.HasPrefix(line, "-----") {
			secrets["PEM "+line[:4]] = strings.TrimSpace(line)
		}
	}
	for name, secret := range secrets {
		if strings.Contains(told.String(), secret) {
			t.Errorf("the %s is told", name)
		}
	}
	if !strings.Contains(told.String(), key.Public().ID().String()) {
		t.Error("the key is not named at all")
	}
}

// tell writes all that an error says.
func tell(told *bytes.Buffer, err error) {
	for _, p := range problemsOf(err) {
		fmt.Fprintln(told, p)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(told, "%v %+v %#v\n", err, err, err)
	}
}
