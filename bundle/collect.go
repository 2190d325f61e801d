package bundle

import (
	"strconv"
	"strings"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// collector takes in the files of a layout, from an archive or a folder, and refuses all that has no business there.
// Nothing is kept of a file whose name is refused.
type collector struct {
	faults
	files  map[string][]byte
	names  map[string]bool
	folded map[string]string
	total  int64
}

func newCollector() *collector {
	return &collector{files: map[string][]byte{}, names: map[string]bool{}, folded: map[string]string{}}
}

// admit judges the name and the stated size of the next file before any of it is read. keep says whether the file
// belongs to a layout. The error ends the reading: a limit is passed, or too much is wrong already.
func (c *collector) admit(name string, size int64) (keep bool, err error) {
	if len(c.names)+1 > MaxEntries {
		c.entry(diag.CodeBuildTooManyEntries, "limit", strconv.Itoa(MaxEntries))
		return false, c.err()
	}
	keep = c.judge(name)
	if limit := limitOf(name); size > limit {
		c.entry(diag.CodeEntryTooLarge, "entry", shown(name), "found", strconv.FormatInt(size, 10), "limit", strconv.FormatInt(limit, 10))
		return false, c.err()
	}
	if c.total += size; c.total > maxLayout {
		c.entry(diag.CodeBuildTooLarge, "limit", strconv.Itoa(MaxBuild))
		return false, c.err()
	}
	if c.full() {
		return false, c.err()
	}
	return keep, nil
}

func limitOf(name string) int64 {
	if name == markerName || name == indexName {
		return MaxManifest
	}
	return MaxBlob
}

func (c *collector) judge(name string) bool {
	if c.names[name] {
		c.entry(diag.CodeEntryDuplicate, "entry", shown(name))
		return false
	}
	c.names[name] = true
	if p, ok := checkName("entry", name); !ok {
		c.add("", p)
		return false
	}
	key := strings.ToLower(name)
	if other, clash := c.folded[key]; clash {
		c.entry(diag.CodeEntryCaseClash, "entry", name, "other", other)
		return false
	}
	c.folded[key] = name
	switch {
	case name == markerName || name == indexName:
		return true
	case isLitter(name):
		c.entry(diag.CodeEntryLitter, "entry", name)
		return false
	case strings.HasPrefix(name, blobPrefix):
		return c.judgeBlob(name)
	case strings.HasPrefix(name, "blobs/") && strings.Count(name, "/") == 2:
		c.entry(diag.CodeDigestAlgorithm, "where", "the name "+name, "found", strings.Split(name, "/")[1])
		return false
	default:
		c.entry(diag.CodeExtraFile, "entry", name)
		return false
	}
}

func (c *collector) judgeBlob(name string) bool {
	if _, err := digest.Parse("sha256:" + name[len(blobPrefix):]); err != nil {
		c.entry(diag.CodeBlobName, "entry", name, "why", err.Error())
		return false
	}
	return true
}

// finish gives the files once all were read and nothing was wrong with their names.
func (c *collector) finish() (map[string][]byte, error) {
	for _, name := range []string{markerName, indexName} {
		if !c.names[name] && !c.full() {
			c.entry(diag.CodeLayoutFileMissing, "entry", name)
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return c.files, nil
}
