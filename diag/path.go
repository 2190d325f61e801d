package diag

import (
	"fmt"
	"path"
	"strings"
)

// defaultProject is where findings without a file are shown by formats that need one.
const defaultProject = "seif.yaml"

// reportPath is a path as readers of a repository know it: relative, with forward slashes, without dot segments,
// never empty. A report with one other path is refused as a whole by some of them.
func (o Options) reportPath(name string) string {
	for _, candidate := range []string{name, o.Project} {
		if candidate == "" {
			continue
		}
		if o.RelativePath != nil {
			candidate = o.RelativePath(candidate)
		}
		if relative := relativePath(candidate); relative != "" {
			return relative
		}
	}
	return defaultProject
}

func relativePath(name string) string {
	if len(name) >= 3 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') {
		name = name[2:]
	}
	// Seen from a root, no dot segment is left and none leads upwards.
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// uriPath is a relative path as a URI reference: every byte but unreserved characters and slashes is
// percent-encoded, so that no segment can be read as a scheme, a query or a fragment.
func uriPath(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
