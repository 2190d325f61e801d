package registry

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// Credential is what proves to a registry who is there. The zero value is nobody.
type Credential struct {
	Username, Password string
	// IdentityToken is exchanged for an access token by OAuth 2.
	IdentityToken string
	// RegistryToken is an access token that is sent as it is.
	RegistryToken string
}

// String hides the secret.
func (Credential) String() string { return "(credential)" }

// GoString hides the secret.
func (Credential) GoString() string { return "(credential)" }

// Credentials gives the credential for a host with its port; the zero Credential if there is none. It is asked only
// when the registry demands one.
type Credentials func(ctx context.Context, host string) (Credential, error)

// maxConfig bounds the docker config.
const maxConfig = 1 << 20

// hubHost serves the host that references call docker.io; its credentials stand under hubKey.
const (
	hubHost = "registry-1.docker.io"
	hubKey  = "https://index.docker.io/v1/"
)

// DockerConfigPath is where the docker config is: in the folder that DOCKER_CONFIG names, or in .docker of the home
// folder. It is empty if the environment says neither.
func DockerConfigPath(lookup func(string) (string, bool)) string {
	if folder, ok := lookup("DOCKER_CONFIG"); ok && folder != "" {
		return filepath.Join(folder, "config.json")
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home, ok := lookup(name); ok && home != "" {
			return filepath.Join(home, ".docker", "config.json")
		}
	}
	return ""
}

// DockerConfig gives the credentials of a docker config, which is read when one is first demanded. A file that is not
// there has none; one that cannot be understood is an error.
//
// A config may name a program, docker-credential-NAME, for a host (credHelpers) or for all of them (credsStore). It is
// code that the user's own configuration chose, as for every client of registries. It runs only if helpers is set, only
// for the host that demands a credential, for half a minute at most, and NAME cannot lead out of the search path.
func DockerConfig(path string, helpers bool) Credentials {
	return func(ctx context.Context, host string) (Credential, error) {
		if path == "" {
			return Credential{}, nil
		}
		config, err := readConfig(path)
		if err != nil {
			return Credential{}, err
		}
		key := host
		if host == hubHost {
			key = hubKey
		}
		name := config.helper(key)
		if name == "" {
			return config.credential(path, key)
		}
		if !isHelper(name) || !helpers {
			return Credential{}, configFault(path, nil, "it names the program docker-credential-"+shown(name)+", which is not run")
		}
		return runHelper(ctx, path, name, key)
	}
}

func configFault(path string, err error, why string) *Fault {
	return unable(err, diag.CodeRegistryCredentials, "path", filepath.ToSlash(path), "why", why)
}

// dockerConfig is what matters of a docker config.
type dockerConfig struct {
	auths   map[string]any
	helpers map[string]any
	store   string
}

func readConfig(path string) (dockerConfig, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return dockerConfig{}, nil
	}
	if err != nil {
		return dockerConfig{}, configFault(path, err, "it cannot be read")
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err != nil {
		return dockerConfig{}, configFault(path, err, "it cannot be read")
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: maxConfig})
	if err != nil {
		// The error may quote the text around, and that is where the secrets are.
		return dockerConfig{}, configFault(path, nil, "it is not strict JSON of at most 1 MiB")
	}
	members, ok := value.(map[string]any)
	if !ok {
		return dockerConfig{}, configFault(path, nil, "it is not a JSON object")
	}
	var config dockerConfig
	config.auths, _ = members["auths"].(map[string]any)
	config.helpers, _ = members["credHelpers"].(map[string]any)
	config.store, _ = members["credsStore"].(string)
	return config, nil
}

// helper is the name of the program that knows the credential of a host; empty if the file itself does.
func (c dockerConfig) helper(key string) string {
	if name, ok := c.helpers[key].(string); ok && name != "" {
		return name
	}
	return c.store
}

// credential is what the file itself says about a host. Older files have a URL for a key.
func (c dockerConfig) credential(path, key string) (Credential, error) {
	entry, ok := c.auths[key].(map[string]any)
	for _, other := range slices.Sorted(maps.Keys(c.auths)) {
		if !ok && hostOf(other) == key {
			entry, ok = c.auths[other].(map[string]any)
		}
	}
	var out Credential
	out.Username, _ = entry["username"].(string)
	out.Password, _ = entry["password"].(string)
	out.IdentityToken, _ = entry["identitytoken"].(string)
	out.RegistryToken, _ = entry["registrytoken"].(string)
	packed, _ := entry["auth"].(string)
	if packed == "" {
		return out, nil
	}
	plain, err := base64.StdEncoding.DecodeString(packed)
	name, password, found := strings.Cut(string(plain), ":")
	if err != nil || !found {
		return Credential{}, configFault(path, nil, "the entry of "+key+" is not base64 of NAME:PASSWORD")
	}
	out.Username, out.Password = name, strings.TrimRight(password, "\x00")
	return out, nil
}

func hostOf(key string) string {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "http://"), "https://")
	host, _, _ := strings.Cut(key, "/")
	return host
}
