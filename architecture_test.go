// Package seifc_test holds what concerns the module as a whole: the order of its rooms, the determinism of its
// programs, and that its pages say what the programs do.
package seifc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seif-dev/seifc"

// wing says on which side of the house a room lies.
type wing string

const (
	authoring wing = "authoring"
	serving   wing = "serving"
	shared    wing = "shared"
)

// room is one folder of the house. Rooms stand from the top to the bottom: a room imports only rooms below it.
type room struct {
	path string
	wing wing
	// planned rooms are part of the order before their first file is written.
	planned bool
}

// house is the order of the rooms. Commands stand above all of them and may import any.
var house = []room{
	{path: "compiler/subject", wing: authoring},
	{path: "corpus/promotion", wing: authoring, planned: true},
	{path: "compiler", wing: authoring},
	{path: "diff", wing: authoring, planned: true},
	{path: "corpus", wing: authoring, planned: true},
	{path: "compiler/importer", wing: authoring},
	{path: "manifest", wing: authoring},

	{path: "runtime/server", wing: serving, planned: true},
	{path: "runtime/gateway", wing: serving, planned: true},
	{path: "runtime/operator", wing: serving, planned: true},
	{path: "runtime/telemetry", wing: serving, planned: true},
	{path: "runtime/audit", wing: serving, planned: true},
	{path: "runtime/ledger", wing: serving, planned: true},
	{path: "runtime/executor", wing: serving, planned: true},
	{path: "runtime/frame", wing: serving, planned: true},
	{path: "runtime/bindings", wing: serving, planned: true},

	{path: "bundle/registry", wing: shared, planned: true},
	{path: "bundle/trust", wing: shared, planned: true},
	{path: "bundle/sign/keyless/sigstore", wing: shared},
	{path: "bundle/sign/keyless", wing: shared},
	{path: "bundle/sign", wing: shared, planned: true},
	{path: "bundle", wing: shared},

	{path: "testsuite", wing: shared},
	{path: "decide/resolve", wing: shared},
	{path: "decide/provider", wing: shared},
	{path: "decide/trace", wing: shared, planned: true},
	{path: "decide/expr", wing: shared},
	{path: "decide/tokens", wing: shared},
	{path: "decide/definition", wing: shared},
	{path: "decide/schema", wing: shared},

	{path: "document", wing: shared},
	{path: "diag", wing: shared},
	{path: "digest", wing: shared},
	{path: "digest/canonical", wing: shared},
}

// beside are the folders that are no rooms: nothing in a room may import them, and they may import any room. The
// empty path is the root, which has tests only, as interop has.
var beside = []string{"", "bench", "interop", "tools"}

// wall keeps packages from outside to the rooms that are there to hold them.
type wall struct {
	name string
	// holds tells whether an import path is behind the wall.
	holds func(importPath string) bool
	// rooms may pass; why says what else may, and the reason.
	rooms []string
	why   map[string]string
}

// walls are held over the direct imports of our own non-test packages.
var walls = []wall{
	{
		name: "YAML", holds: anyOf("gopkg.in/yaml.v3", "go.yaml.in/yaml", "sigs.k8s.io/yaml", "github.com/goccy/go-yaml"),
		rooms: []string{"document"},
		why:   map[string]string{"bench/peer": "it is the parser that the figures are compared with; it is a program that nothing imports"},
	},
	{name: "CEL", holds: anyOf("cel.dev", "github.com/google/cel-go"), rooms: []string{"decide/expr"}},
	{name: "JSON Schema", holds: anyOf("github.com/santhosh-tekuri/jsonschema"), rooms: []string{"decide/schema"}},
	{name: "SQL", holds: anyOf("database/sql", "modernc.org/sqlite", "github.com/jackc/pgx", "github.com/mattn/go-sqlite3"), rooms: []string{"runtime/ledger"}},
	{name: "registries", holds: anyOf("oras.land/oras-go", "github.com/google/go-containerregistry"), rooms: []string{"bundle/registry"}},
	{
		name: "sockets", holds: sockets,
		rooms: []string{
			"bundle/registry", "bundle/sign/keyless/sigstore", "tools/virtualsigstore", "runtime/executor", "runtime/server", "runtime/ledger", "runtime/telemetry", "runtime/operator",
		},
	},
	{
		name: "Sigstore", holds: anyOf("github.com/sigstore/sigstore-go"),
		rooms: []string{"bundle/sign/keyless/sigstore", "tools/virtualsigstore"},
	},
	{
		name: "programs", holds: anyOf("os/exec"), rooms: []string{"compiler/importer", "bundle/registry", "bundle/sign/keyless"},
		why: map[string]string{
			"bench/run":     "it measures the programs as processes",
			"tools/fuzzall": "it runs the go command",
		},
	},
}

// anyOf holds packages by path: each given one and all below it.
func anyOf(prefixes ...string) func(string) bool {
	return func(importPath string) bool {
		for _, prefix := range prefixes {
			if importPath == prefix || strings.HasPrefix(importPath, prefix+"/") {
				return true
			}
		}
		return false
	}
}

// sockets holds what opens connections. net/url, net/netip and net/mail only read text.
func sockets(importPath string) bool {
	if anyOf("net/url", "net/netip", "net/mail")(importPath) {
		return false
	}
	return anyOf("net", "crypto/tls", "log/syslog", "golang.org/x/net", "google.golang.org/grpc")(importPath)
}

// pure are the rooms without clock, environment and randomness.
var pure = anyOf("decide", "testsuite", "digest")

// impure holds packages that reach the clock's zone data, the environment, the file system or randomness. `time`
// is not among them: durations and points in time are values; its clock is found in the source.
var impure = anyOf("os", "syscall", "math/rand", "crypto/rand", "hash/maphash", "net", "log", "path/filepath", "runtime", "time/tzdata", "plugin", "unsafe")

func notSockets(importPath string) bool { return anyOf("net/url", "net/netip")(importPath) }

// goPackage is what `go list` says about a package.
type goPackage struct {
	ImportPath, Dir, Doc, Name string
	Standard                   bool
	Imports, Deps              []string
	GoFiles, TestGoFiles       []string
	XTestGoFiles               []string
	IgnoredGoFiles             []string
	Error                      *struct{ Err string }
	DepsErrors                 []*struct{ Err string }
}

// place is the path of a package of ours inside the module.
func (p goPackage) place() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// ours gives the packages of the module by their place.
func ours(t *testing.T) map[string]goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "-json", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	found := map[string]goPackage{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("reading go list: %v", err)
		}
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			found[p.place()] = p
		}
	}
	if len(found) < 15 {
		t.Fatalf("go list found %d packages of the module: the rules would hold over next to nothing", len(found))
	}
	return found
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func level(place string) int {
	return slices.IndexFunc(house, func(r room) bool { return r.path == place })
}

func isCommand(place string) bool { return path.Dir(place) == "cmd" }

func isBeside(place string) bool {
	return slices.ContainsFunc(beside, func(b string) bool { return place == b || b != "" && strings.HasPrefix(place, b+"/") })
}

func TestEveryPackageLoads(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		p := all[place]
		if p.Error != nil {
			t.Errorf("%s: %s", place, p.Error.Err)
		}
		for _, e := range p.DepsErrors {
			t.Errorf("%s: %s", place, e.Err)
		}
	}
}

func TestEveryFolderIsARoom(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		if level(place) < 0 && !isCommand(place) && !isBeside(place) {
			t.Errorf("the folder %s has code but no place in the order of the rooms", place)
		}
	}
	for _, r := range house {
		if _, exists := all[r.path]; !exists && !r.planned {
			t.Errorf("the room %s is in the order but has no code", r.path)
		}
	}
}

func TestRoomsImportOnlyDownwards(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		from := level(place)
		for _, imported := range all[place].Imports {
			target, isOurs := strings.CutPrefix(imported, module+"/")
			if !isOurs {
				continue
			}
			switch to := level(target); {
			case isCommand(target):
				t.Errorf("%s imports the command %s", place, target)
			case from < 0:
				// Commands and what stands beside the rooms may import any room.
			case to < 0:
				t.Errorf("the room %s imports %s, which is no room", place, target)
			case to <= from:
				t.Errorf("the room %s imports %s, which is not below it", place, target)
			}
		}
	}
}

func TestWingsAreApart(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		from := level(place)
		if from < 0 || house[from].wing == shared {
			continue
		}
		for _, dep := range all[place].Deps {
			to := level(strings.TrimPrefix(dep, module+"/"))
			if to >= 0 && house[to].wing != shared && house[to].wing != house[from].wing {
				t.Errorf("%s is in the %s wing and depends on %s of the %s wing", place, house[from].wing, house[to].path, house[to].wing)
			}
		}
	}
}

func TestOuterWalls(t *testing.T) {
	all := ours(t)
	held := map[string]bool{}
	for _, place := range sorted(all) {
		for _, imported := range all[place].Imports {
			for _, w := range walls {
				if !w.holds(imported) {
					continue
				}
				held[w.name] = true
				if _, excepted := w.why[place]; !excepted && !slices.Contains(w.rooms, place) {
					t.Errorf("%s imports %s; %s is only for %s", place, imported, w.name, strings.Join(w.rooms, ", "))
				}
			}
		}
	}
	for _, name := range []string{"YAML", "CEL", "JSON Schema"} {
		if !held[name] {
			t.Errorf("no package of ours imports %s: the wall holds nothing, its paths are out of date", name)
		}
	}
}

func TestDecisionsReachNoClockEnvironmentOrRandomness(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		if !pure(place) {
			continue
		}
		for _, imported := range all[place].Imports {
			if impure(imported) && !notSockets(imported) {
				t.Errorf("%s imports %s", place, imported)
			}
		}
	}
}

// TestOneProgramHasSigstoreInIt holds that only who signs or verifies by identity pays for starting it.
func TestOneProgramHasSigstoreInIt(t *testing.T) {
	all := ours(t)
	const heavy, program = "github.com/sigstore/sigstore-go", "cmd/seifc-keyless"
	for _, place := range sorted(all) {
		has := slices.ContainsFunc(all[place].Deps, anyOf(heavy))
		if isCommand(place) && has != (place == program) {
			t.Errorf("%s has %s in it: %v", place, heavy, has)
		}
	}
}

func TestExceptionsAreProgramsOfTheirOwn(t *testing.T) {
	all := ours(t)
	for _, w := range walls {
		for place := range w.why {
			if p, exists := all[place]; exists && p.Name != "main" {
				t.Errorf("%s passes the wall of %s as an exception and is no program: a package could import it", place, w.name)
			}
		}
	}
}
