// Command seifc-keyless signs and verifies by identity for seifc and seif-runtime, which start it when they need it.
//
// It is a program of its own because the Sigstore code takes longer to start than all the rest. It reads requests on its
// standard input and answers on its standard output, in the protocol of bundle/sign/keyless. It has no flags and no
// configuration but the few variables that its caller passes on: a proxy, and who vouches for servers.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/seif-dev/seifc/bundle/sign/keyless"
	"github.com/seif-dev/seifc/bundle/sign/keyless/sigstore"
)

// The exit codes, the same as in seifc.
const (
	exitGood   = 0
	exitUsage  = 2
	exitUnable = 3
)

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, in io.Reader, out, talk io.Writer) int {
	switch {
	case len(args) == 1 && args[0] == "version":
		fmt.Fprintf(out, "seifc-keyless %s (%s)\n", version(), keyless.Protocol)
		return exitGood
	case len(args) > 0:
		fmt.Fprintln(talk, "seifc-keyless: it takes no arguments but `version`: seifc and seif-runtime start it")
		return exitUsage
	}
	if err := sigstore.Serve(ctx, bufio.NewReader(in), out); err != nil {
		fmt.Fprintf(talk, "seifc-keyless: %v\n", err)
		return exitUnable
	}
	return exitGood
}

// version is the release, or what the module's build information says.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
