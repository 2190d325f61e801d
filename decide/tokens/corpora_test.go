package tokens_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seif-dev/seifc/decide/tokens"
)

// Against thousands of published tools in the form in which a budget counts them: none is low, and all together are
// moderately high. testdata/tools-o200k.txt holds the digest of the corpus and a count for each of its lines. A short
// run takes every tenth tool.
func TestPublishedToolsAreNotLow(t *testing.T) {
	corpus, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpora", "tools-open.jsonl"))
	if err != nil {
		t.Skip("0 published tools checked: the corpus is not beside the module")
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "tools-o200k.txt"))
	if err != nil {
		t.Fatal(err)
	}
	counts := strings.Fields(string(raw))
	if sum := sha256.Sum256(corpus); hex.EncodeToString(sum[:]) != counts[0] {
		t.Skip("0 published tools checked: the corpus is not the one that was counted")
	}
	lines := bytes.Split(bytes.TrimSpace(corpus), []byte("\n"))
	if counts = counts[1:]; len(counts) != len(lines) {
		t.Fatalf("%d counts for %d tools", len(counts), len(lines))
	}
	estimates, total, ratios := 0, 0, make([]float64, 0, len(lines))
	for i, line := range lines {
		if testing.Short() && i%10 != 0 {
			continue
		}
		counted, err := strconv.Atoi(counts[i])
		if err != nil {
			t.Fatal(err)
		}
		estimate := tokens.Count(toolText(t, line))
		estimates += estimate
		total += counted
		ratios = append(ratios, float64(estimate)/float64(counted))
		if estimate*100 < counted*95 {
			t.Errorf("tool %d: estimate %d, o200k %d", i+1, estimate, counted)
		}
	}
	slices.Sort(ratios)
	at := func(percent int) float64 { return ratios[(len(ratios)-1)*percent/100] }
	t.Logf("%d tools: %+.1f %% in total; estimate/o200k min %.2f, p5 %.2f, median %.2f, p95 %.2f, max %.2f",
		len(ratios), bias(estimates, total), at(0), at(5), at(50), at(95), at(100))
	if estimates < total || estimates*10 > total*16 {
		t.Errorf("all tools together are %+.1f %% off", bias(estimates, total))
	}
}

// toolText is the token text of a tool. Numbers stay as published; that differs from the RFC 8785 form in a few
// characters of a few tools, and the counts are of this text.
func toolText(t *testing.T, line []byte) string {
	t.Helper()
	var tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		InputSchema any    `json:"inputSchema"`
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	if err := decoder.Decode(&tool); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(map[string]any{
		"description": tool.Description, "name": tool.Name, "schema": tool.InputSchema,
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimRight(text.String(), "\n")
}
