//go:build unix

package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The test binary is its own server: with this argument it behaves as the argument says.
const behave = "behave="

func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		if how, ok := strings.CutPrefix(os.Args[1], behave); ok {
			serve(how)
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func tool(name string) string {
	return `{"name":"` + name + `","description":"Does ` + name + `.","inputSchema":{"type":"object"}}`
}

// serve speaks MCP as far as the behaviour lets it.
func serve(how string) {
	fmt.Fprintln(os.Stderr, "pid", os.Getpid())
	switch how {
	case "garbage":
		fmt.Println("Server is listening!")
	case "exits":
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	case "huge":
		line := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return
			}
		}
	case "parent":
		child := exec.Command(os.Args[0], behave+"stubborn")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var m struct {
			ID     any            `json:"id"`
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			panic(err)
		}
		cursor, _ := m.Params["cursor"].(string)
		for _, line := range reply(how, m.Method, cursor) {
			fmt.Println(strings.ReplaceAll(line, "ID", fmt.Sprint(m.ID)))
		}
	}
}

func result(text string) string { return `{"jsonrpc":"2.0","id":ID,"result":` + text + `}` }

// reply is what the server writes when it was asked for something.
func reply(how, method, cursor string) []string {
	switch method {
	case "initialize":
		if how == "refuses" {
			return []string{`{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"log in first"}}`}
		}
		return []string{result(`{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"t","version":"1"}}`)}
	case "tools/list":
		page, _ := strconv.Atoi(cursor)
		switch how {
		case "pages":
			if page < 3 {
				return []string{result(fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, tool("t"+cursor), page+1))}
			}
			return []string{result(`{"tools":[` + tool("t"+cursor) + `]}`)}
		case "circle":
			return []string{result(`{"tools":[],"nextCursor":"again"}`)}
		case "chatty":
			return []string{
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}`, "", "  ", `[]`, `{"jsonrpc":"2.0","id":77,"result":{"tools":[]}}`,
				`{"jsonrpc":"2.0","id":ID,"method":"ping"}`, `{"jsonrpc":"2.0","id":"r1","method":"roots/list"}`, result(`{"tools":[` + tool("a") + `]}`),
			}
		case "no tools":
			return []string{result(`{"resources":[]}`)}
		case "no result":
			return []string{`{"jsonrpc":"2.0","id":ID}`}
		}
		return []string{result(`{"tools":[` + tool("b") + `,` + tool("a") + `]}`)}
	}
	return nil
}

// ask asks the test binary. It makes sure that no process of it is left.
func ask(t *testing.T, ctx context.Context, started func(), how string, most time.Duration, bytes int64) (string, error) {
	t.Helper()
	stderr := buffer{started: started}
	data, err := askServer(ctx, most, bytes, &stderr, os.Args[0], behave+how)
	for _, line := range strings.Split(stderr.String(), "\n") {
		if pid, ok := strings.CutPrefix(line, "pid "); ok {
			n, _ := strconv.Atoi(pid)
			gone := false
			for range 100 {
				if gone = syscall.Kill(n, 0) != nil || zombie(n); gone {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if !gone {
				t.Errorf("process %d of %s is still there", n, how)
			}
		}
	}
	if !strings.Contains(stderr.String(), "pid ") {
		t.Errorf("the server's standard error is lost: %q", stderr.String())
	}
	return string(data), err
}

// zombie tells a process that ended and that nobody collected.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// buffer keeps what is written and tells when the first of it came.
type buffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	started func()
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.started != nil {
		b.started()
		b.started = nil
	}
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestAskServer(t *testing.T) {
	for how, want := range map[string]string{"plain": "a b", "pages": "t t1 t2 t3", "chatty": "a"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			data, err := ask(t, context.Background(), nil, how, serverTime, MaxBytes)
			if err != nil {
				t.Fatal(err)
			}
			tools, problems := Read(FromMCP, []byte(data))
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff(want, strings.Join(names, " ")); diff != "" || len(problems) > 0 {
				t.Error(diff, problems)
			}
		})
	}
}

// A server that is not ended sleeps for an hour, so that this test and the next one would not end either.
func TestServersThatFail(t *testing.T) {
	for how, want := range map[string]string{
		"garbage":   "it wrote a line that is no JSON-RPC message",
		"exits":     "it ended before it",
		"refuses":   "it refused initialize: log in first",
		"circle":    "its pages lead in a circle",
		"no tools":  "its tools/list result has no tools",
		"no result": "its answer to tools/list has no result",
		"huge":      "it wrote more than 1000000 bytes",
		"hangs":     "it took more than 4s",
		"stubborn":  "it took more than 4s",
		"parent":    "it took more than 4s",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			most := serverTime
			if strings.Contains(want, "took") {
				most = 4 * time.Second
			}
			data, err := ask(t, context.Background(), nil, how, most, 1_000_000)
			if err == nil || data != "" || !strings.Contains(err.Error(), want) {
				t.Errorf("%q %v", data, err)
			}
		})
	}
}

func TestAskingEndsWithItsContext(t *testing.T) {
	why := errors.New("interrupted")
	for _, how := range []string{"hangs", "parent", "huge"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(context.Background())
			_, err := ask(t, ctx, func() { time.AfterFunc(100*time.Millisecond, func() { cancel(why) }) }, how, serverTime, 1<<40)
			if !errors.Is(err, why) {
				t.Errorf("%s: %v", how, err)
			}
		})
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	_, err := AskServer(context.Background(), io.Discard, "./no-such-program", "x")
	if err == nil || !strings.Contains(err.Error(), "starting ./no-such-program") {
		t.Error(err)
	}
}
