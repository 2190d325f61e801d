package importer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/seif-dev/seifc/digest/canonical"
)

// The bounds of a conversation with a live server.
const (
	serverTime  = 60 * time.Second
	maxPages    = 1000
	maxMessages = 10_000
)

// protocolVersion is what we offer; a server answers with what it speaks, and tools/list is the same in all.
const protocolVersion = "2025-06-18"

// AskServer starts a program that speaks MCP over stdio, asks it for its tools and ends it. It gives the tools as
// one tools/list result. What the server says is data; no tool is called.
func AskServer(ctx context.Context, stderr io.Writer, program string, args ...string) (data []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, serverTime)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Stderr = stderr
	command.WaitDelay = 2 * time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	c := &conversation{in: in, out: bufio.NewReaderSize(io.LimitReader(out, MaxBytes), 1<<16)}
	tools, err := c.tools()
	in.Close()
	cancel()
	// The server is ended by us; how it says goodbye is of no interest.
	_ = command.Wait()
	if err != nil {
		return nil, fmt.Errorf("asking %s for its tools: %w", program, err)
	}
	return canonical.Marshal(map[string]any{"tools": tools})
}

// conversation is a JSON-RPC exchange over lines.
type conversation struct {
	in   io.Writer
	out  *bufio.Reader
	next int
}

func (c *conversation) tools() ([]any, error) {
	if _, err := c.call("initialize", map[string]any{
		"protocolVersion": protocolVersion, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "seifc", "version": "1"},
	}); err != nil {
		return nil, err
	}
	if err := c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return nil, err
	}
	all := []any{}
	cursor := ""
	for range maxPages {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		result, err := c.call("tools/list", params)
		if err != nil {
			return nil, err
		}
		page, ok := result["tools"].([]any)
		if !ok {
			return nil, errors.New("its tools/list result has no tools")
		}
		all = append(all, page...)
		if cursor = text(result["nextCursor"]); cursor == "" {
			return all, nil
		}
	}
	return nil, fmt.Errorf("it has more than %d pages of tools", maxPages)
}

func (c *conversation) send(message map[string]any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(line, '\n'))
	return err
}

// call sends a request and reads until its response; notifications and requests of the server are passed over.
func (c *conversation) call(method string, params map[string]any) (map[string]any, error) {
	c.next++
	id := json.Number(fmt.Sprint(c.next))
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for range maxMessages {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("it ended before it answered %s: %w", method, err)
		}
		value, err := canonical.Parse(line, canonical.Limits{Bytes: MaxBytes})
		if err != nil {
			return nil, fmt.Errorf("it wrote a line that is no JSON-RPC message: %w", err)
		}
		message, _ := value.(map[string]any)
		if message["id"] != id || message["method"] != nil {
			continue
		}
		if failure, ok := message["error"].(map[string]any); ok {
			return nil, fmt.Errorf("it refused %s: %s", method, text(failure["message"]))
		}
		result, ok := message["result"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("its answer to %s has no result", method)
		}
		return result, nil
	}
	return nil, fmt.Errorf("it sent %d messages and no answer to %s", maxMessages, method)
}
