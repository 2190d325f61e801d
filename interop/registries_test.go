package interop_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

// onRegistries runs a test against a registry with the referrers API and against one without it, both on loopback and
// empty. Each time the desk is new.
func onRegistries(t *testing.T, test func(d desk, repository string)) {
	t.Helper()
	t.Run("with the referrers API", func(t *testing.T) {
		server := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
		t.Cleanup(server.Close)
		test(newDesk(t), strings.TrimPrefix(server.URL, "http://")+"/estuda")
	})
	t.Run("without the referrers API", func(t *testing.T) {
		program := client(t, "docker-registry")
		d := newDesk(t)
		test(d, dockerRegistry(d, program)+"/estuda")
	})
}

// dockerRegistry starts Debian's registry and waits until it answers.
func dockerRegistry(d desk, program string) string {
	d.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.Fatal(err)
	}
	host := listener.Addr().String()
	listener.Close()
	d.write("registry.yml", fmt.Sprintf("version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage:\n  filesystem: {rootdirectory: %s}\nhttp: {addr: %q}\n", d.path("registry"), host))
	cmd := exec.Command(program, "serve", d.path("registry.yml"))
	if err := cmd.Start(); err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 200 {
		response, err := http.Get("http://" + host + "/v2/")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return host
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.Fatalf("%s does not answer on %s", program, host)
	return ""
}
