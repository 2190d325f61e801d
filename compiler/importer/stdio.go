package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// AskServer starts a program that speaks MCP over stdio, asks it for its tools and ends it, with whatever it started
// itself. It gives the tools as one tools/list result. What the server says is data; no tool is called. What it
// writes to its standard error goes to stderr. A conversation takes a minute and 64 MiB at most.
func AskServer(ctx context.Context, stderr io.Writer, program string, args ...string) (data []byte, err error) {
	return askServer(ctx, serverTime, MaxBytes, stderr, program, args...)
}

func askServer(ctx context.Context, most time.Duration, bytes int64, stderr io.Writer, program string, args ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	server, err := start(limited, stderr, program, args...)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	from := &io.LimitedReader{R: server.out, N: bytes}
	c := &conversation{in: server.in, out: bufio.NewReaderSize(from, 1<<16)}
	tools, err := c.tools()
	ended := limited.Err()
	server.end(cancel)
	switch {
	case err == nil:
		return canonical.Marshal(map[string]any{"tools": tools})
	case ctx.Err() != nil:
		return nil, fmt.Errorf("asking %s for its tools: %w", program, context.Cause(ctx))
	case ended != nil:
		return nil, fmt.Errorf("asking %s for its tools: it took more than %s", program, most)
	case from.N <= 0:
		return nil, fmt.Errorf("asking %s for its tools: it wrote more than %d bytes", program, bytes)
	default:
		return nil, fmt.Errorf("asking %s for its tools: %w", program, err)
	}
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
	seen := map[string]bool{}
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
		if seen[cursor] {
			return nil, errors.New("its pages lead in a circle")
		}
		seen[cursor] = true
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

// call sends a request and reads until its response. Notifications of the server are passed over and its requests
// answered: a ping as it must be, anything else with a refusal, so that it does not wait for us.
func (c *conversation) call(method string, params map[string]any) (map[string]any, error) {
	c.next++
	id := json.Number(fmt.Sprint(c.next))
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params}); err != nil {
		return nil, fmt.Errorf("it ended before it was asked for %s: %w", method, err)
	}
	for range maxMessages {
		message, err := c.message(method)
		if err != nil {
			return nil, err
		}
		if request := text(message["method"]); request != "" {
			if err := c.answer(request, message["id"]); err != nil {
				return nil, err
			}
			continue
		}
		if message["id"] != id {
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

// message reads the next message; one that is no object is an empty one.
func (c *conversation) message(method string) (map[string]any, error) {
	for range maxMessages {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("it ended before it answered %s: %w", method, err)
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		value, err := canonical.Parse(line, canonical.Limits{Bytes: MaxBytes})
		if err != nil {
			return nil, fmt.Errorf("it wrote a line that is no JSON-RPC message: %w", err)
		}
		message, _ := value.(map[string]any)
		return message, nil
	}
	return nil, fmt.Errorf("it sent %d empty lines and no answer to %s", maxMessages, method)
}

func (c *conversation) answer(request string, id canonical.Value) error {
	switch id.(type) {
	case string, json.Number:
	default:
		return nil
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": id}
	if request == "ping" {
		reply["result"] = map[string]any{}
	} else {
		reply["error"] = map[string]any{"code": -32601, "message": "not offered"}
	}
	return c.send(reply)
}
