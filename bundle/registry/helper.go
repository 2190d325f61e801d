package registry

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/seif-dev/seifc/digest/canonical"
)

// Bounds of a credential helper.
const (
	helperTimeout = 30 * time.Second
	helperWayOut  = time.Second // for its children to let go of its output once it has ended
	maxHelperName = 64
	maxHelperSays = 64 << 10
	maxHelperWhy  = 2 << 10
)

// What the protocol of credential helpers has fixed words for.
const (
	helperPrefix   = "docker-credential-"
	helperKnowsNot = "credentials not found in native keychain"
	helperToken    = "<token>"
)

// isHelper tells whether a name is that of a program in the search path, and of nothing else.
func isHelper(name string) bool {
	if name == "" || len(name) > maxHelperName || strings.Trim(name, ".") == "" {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isLowerOrDigit(c) && !isUpper(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// runHelper asks a credential helper by its protocol: the key on its standard input, one JSON object on its standard
// output. That output may hold a secret whatever the exit status is, so that nothing of it is ever in an error. What it
// says on its standard error is, and nothing of it goes to a terminal by itself.
func runHelper(ctx context.Context, path, name, key string) (Credential, error) {
	program := helperPrefix + name
	fail := func(err error, why string) (Credential, error) {
		return Credential{}, configFault(path, err, program+" "+why)
	}
	found, err := exec.LookPath(program)
	switch {
	case errors.Is(err, exec.ErrDot):
		return fail(err, "is not run from the current folder: the search path has to name its folder whole")
	case err != nil:
		return fail(err, "is not in the search path")
	}
	limited, cancel := context.WithTimeoutCause(ctx, helperTimeout, errTooSlow)
	defer cancel()
	said, words := &prefix{most: maxHelperSays, ends: true}, &prefix{most: maxHelperWhy}
	cmd := exec.CommandContext(limited, found, "get")
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = strings.NewReader(key), said, words, helperWayOut
	err = cmd.Run()
	switch cause := context.Cause(limited); {
	case cause != nil && !errors.Is(cause, errTooSlow):
		return Credential{}, cause
	case cause != nil:
		return fail(nil, "did not answer in time")
	case said.cut:
		return fail(nil, "says more than "+strconv.Itoa(maxHelperSays)+" bytes")
	case err != nil && strings.TrimSpace(string(said.kept)) == helperKnowsNot:
		return Credential{}, nil
	case err != nil:
		return fail(nil, "failed: "+helperReason(err, string(words.kept))+"; run `"+program+" get` and give it "+key+" to see why")
	}
	answer, why := readHelper(said.kept)
	if why != "" {
		return fail(nil, "gave an answer that is "+why)
	}
	return answer, nil
}

// helperReason is why a helper failed, in its own words where it has some.
func helperReason(err error, words string) string {
	why := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		why = "it cannot be started: " + path.Err.Error()
	}
	if words = strings.TrimSpace(strings.ToValidUTF8(words, "\ufffd")); words != "" {
		why += ": " + words
	}
	return shown(why)
}

// readHelper reads what a helper answered; why says what it is instead, without any of it.
func readHelper(data []byte) (out Credential, why string) {
	value, err := canonical.Parse(data, canonical.Limits{Bytes: maxHelperSays})
	members, ok := value.(map[string]any)
	if err != nil || !ok {
		return Credential{}, "not a JSON object"
	}
	name, isName := members["Username"].(string)
	secret, isSecret := members["Secret"].(string)
	switch {
	case !isName || !isSecret:
		return Credential{}, "without the texts Username and Secret"
	case name == helperToken:
		return Credential{IdentityToken: secret}, ""
	}
	return Credential{Username: name, Password: secret}, ""
}

// prefix keeps the beginning of what a program writes. If ends is set, more than that ends the program.
type prefix struct {
	kept []byte
	most int
	ends bool
	cut  bool
}

var errSaysTooMuch = errors.New("the program says too much")

// Write implements [io.Writer].
func (p *prefix) Write(data []byte) (int, error) {
	room := max(0, p.most-len(p.kept))
	p.kept = append(p.kept, data[:min(room, len(data))]...)
	if len(data) <= room {
		return len(data), nil
	}
	p.cut = true
	if p.ends {
		return 0, errSaysTooMuch
	}
	return len(data), nil
}
