package sign

import (
	"context"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
)

// KeyOptions says what a key reference may make use of.
type KeyOptions struct {
	// Password gives the password of an encrypted key; nil if there is none to be had.
	Password PasswordFunc
	// LookupEnv reads the environment for env:// references; nil if there is none.
	LookupEnv func(name string) (string, bool)
	// AllowPlugins lets a reference NAME://... run the program sigstore-kms-NAME. That is code from configuration, so it
	// stays off unless somebody said so in words.
	AllowPlugins bool
}

// OpenSigner finds the private key that a reference names: the path of a file, env://VARIABLE, or NAME://RESOURCE for
// a key management service behind a plugin. The findings are warnings: a file that others may read. The error is a
// [*KeyError], an error of the file system, or that of the password function.
func OpenSigner(ctx context.Context, reference string, options KeyOptions) (Signer, []diag.Problem, error) {
	ref, err := parseReference(reference)
	if err != nil {
		return nil, nil, err
	}
	if ref.plugin != "" {
		signer, err := openPlugin(ctx, ref, options)
		if err != nil {
			return nil, nil, err
		}
		return signer, nil, nil
	}
	data, warnings, err := ref.read(options)
	if err != nil {
		return nil, nil, err
	}
	defer clear(data)
	key, err := ParsePrivateKey(ctx, data, options.Password)
	if err != nil {
		return nil, warnings, err
	}
	return key, warnings, nil
}

// OpenPublicKey finds the public key that a reference names, in the same forms as [OpenSigner]. The error is a
// [*KeyError] or one of the file system.
func OpenPublicKey(ctx context.Context, reference string, options KeyOptions) (PublicKey, error) {
	ref, err := parseReference(reference)
	if err != nil {
		return PublicKey{}, err
	}
	if ref.plugin != "" {
		signer, err := openPlugin(ctx, ref, options)
		if err != nil {
			return PublicKey{}, err
		}
		return signer.Public(), nil
	}
	data, _, err := ref.read(options)
	if err != nil {
		return PublicKey{}, err
	}
	return ParsePublicKey(data)
}

// reference is a key reference taken apart; exactly one of its first three members is set.
type reference struct {
	path     string
	variable string
	plugin   string
	whole    string // as it was given, for a plugin
}

// parseReference never repeats what it refuses: people paste a key where its name belongs.
func parseReference(text string) (reference, error) {
	refused := keyFault(diag.CodeKeyReference)
	if text == "" || len(text) > 4096 || strings.Contains(text, "-----") || strings.ContainsFunc(text, isControl) {
		return reference{}, refused
	}
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case !ok:
		return reference{path: text}, nil
	case scheme == "env":
		if !isVariable(rest) {
			return reference{}, refused
		}
		return reference{variable: rest}, nil
	case !isPluginName(scheme) || rest == "":
		return reference{}, refused
	default:
		return reference{plugin: scheme, whole: text}, nil
	}
}

func isControl(c rune) bool { return c < 0x20 || c == 0x7f }

func isVariable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 256
}

// isPluginName tells names of which none can leave the name of a program: [a-z0-9-]{1,64}.
func isPluginName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// read gives the bytes of a file or a variable, at most one more than a key may have.
func (ref reference) read(options KeyOptions) ([]byte, []diag.Problem, error) {
	if ref.variable != "" {
		if options.LookupEnv == nil {
			return nil, nil, keyFault(diag.CodeKeyVariable, "variable", ref.variable)
		}
		value, set := options.LookupEnv(ref.variable)
		if !set || value == "" {
			return nil, nil, keyFault(diag.CodeKeyVariable, "variable", ref.variable)
		}
		return []byte(value), nil, nil
	}
	file, err := os.Open(ref.path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return nil, nil, keyFault(diag.CodeKeyFormat, "why", "it is a folder")
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxKey+1))
	if err != nil {
		return nil, nil, err
	}
	return data, readable(ref.path, info), nil
}

// readable warns of a file that others than its owner may read. Windows has no such bits; a pipe has no owner to speak of.
func readable(path string, info fs.FileInfo) []diag.Problem {
	if runtime.GOOS == "windows" || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	mode := "0" + strconv.FormatUint(uint64(info.Mode().Perm()), 8)
	return []diag.Problem{diag.New(diag.CodeKeyFileReadable, "", "path", shown(path), "mode", mode)}
}
