package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// ProjectFile is the name of a Project's file when a folder is given.
const ProjectFile = "seif.yaml"

// LockFile stands beside the Project file.
const LockFile = "seif.lock"

// Limits of what is read. Both are part of the documented format.
const (
	MaxFileBytes    = 4 << 20
	MaxProjectBytes = 256 << 20
	// MaxLockBytes bounds the lock, which seifc writes and which holds every pinned contract.
	MaxLockBytes = 64 << 20
)

// Tree is where a Project's files are. Files must confine every name to the Project's root: an os.Root does.
type Tree struct {
	Files fs.FS
	// Project is the name of the Project file in Files, almost always "seif.yaml".
	Project string
	// Shown is what precedes every file name in messages: the folder as the user typed it, with a slash, or "".
	Shown string
}

// loaded is everything that was read, and what stands in it.
type loaded struct {
	tree       Tree
	project    *manifest.Project
	catalogues []*manifest.Catalogue
	tests      []*manifest.Tests
	lock       *manifest.Lock // nil when there is none
	texts      map[string]sourceText
	// raw holds the bytes of each file read, by shown path.
	raw map[string][]byte
	// incomplete says that a listed catalogue could not be read, so that a name nobody defines may be in it.
	incomplete bool
}

// entries lists every contract and shared schema that was read, revisions included.
func (in *loaded) entries() []manifest.Contract {
	var all []manifest.Contract
	add := func(current []manifest.Entry[manifest.Contract], revisions []manifest.Entry[[]manifest.Contract]) {
		for _, entry := range current {
			all = append(all, entry.Value)
		}
		for _, entry := range revisions {
			all = append(all, entry.Value...)
		}
	}
	add(in.project.Contracts, in.project.Revisions)
	for _, catalogue := range in.catalogues {
		add(catalogue.Contracts, catalogue.Revisions)
	}
	return all
}

// sourceText is the text of a file source.
type sourceText struct {
	normalised string
	file       *document.File // of the normalised text
}

// loader reads the files of one Project and keeps the accounts.
type loader struct {
	tree   Tree
	total  int64
	raw    map[string][]byte
	report *[]diag.Diagnostic
}

// load reads the Project file and every file that it names. Faults of files that the Project names are findings
// at the line that names them; a Project file that cannot be read is an error.
func load(ctx context.Context, tree Tree, report *[]diag.Diagnostic) (*loaded, error) {
	return loadOver(ctx, tree, map[string][]byte{}, report)
}

// loadOver is load with the content of some files, by shown path, given instead of read.
func loadOver(ctx context.Context, tree Tree, given map[string][]byte, report *[]diag.Diagnostic) (*loaded, error) {
	l := &loader{tree: tree, raw: given, report: report}
	source, err := l.read(tree.Project)
	var refused *refusedFile
	if errors.As(err, &refused) && refused.tooLarge {
		// It is there and wrong, unlike one that cannot be read.
		*report = append(*report, diag.AtPlace(diag.Place{Path: tree.Shown + tree.Project}, diag.CodePathRefused, "path", tree.Project, "why", refused.why))
		return &loaded{tree: tree, raw: l.raw}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the Project %s: %w", tree.Shown+tree.Project, err)
	}
	out := &loaded{tree: tree, texts: map[string]sourceText{}, raw: l.raw}
	file := l.parse(tree.Project, source)
	if file == nil {
		return out, nil
	}
	project, found := manifest.DecodeProject(file)
	*report = append(*report, found...)
	file.Release()
	if project == nil {
		return out, nil
	}
	out.project = project
	if err := l.loadNamed(ctx, out); err != nil {
		return nil, err
	}
	return out, nil
}

func (l *loader) loadNamed(ctx context.Context, out *loaded) error {
	if err := l.loadLock(out); err != nil {
		return err
	}
	before := len(*l.report)
	err := l.eachMatch(ctx, out.project.Catalogues, func(file *document.File) {
		catalogue, found := manifest.DecodeCatalogue(file)
		*l.report = append(*l.report, found...)
		if catalogue != nil {
			out.catalogues = append(out.catalogues, catalogue)
		}
	})
	if err != nil {
		return err
	}
	out.incomplete = diag.HasErrors((*l.report)[before:]) || cataloguesUnread(*l.report, out.project.File.Path)
	err = l.eachMatch(ctx, out.project.Tests, func(file *document.File) {
		tests, found := manifest.DecodeTests(file)
		*l.report = append(*l.report, found...)
		if tests != nil {
			out.tests = append(out.tests, tests)
		}
	})
	if err != nil {
		return err
	}
	for _, entry := range out.project.Sources {
		if entry.Value.Path.Value == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.loadText(entry, out); err != nil {
			return err
		}
	}
	return nil
}

// cataloguesUnread tells whether the list of catalogues has an error of its own.
func cataloguesUnread(report []diag.Diagnostic, project string) bool {
	return slices.ContainsFunc(report, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Place.Path == project && strings.HasPrefix(d.Place.Pointer+"/", "/catalogues/")
	})
}

func (l *loader) loadLock(out *loaded) error {
	name := lockName(l.tree)
	source, err := l.readUpTo(name, MaxLockBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", l.tree.Shown+name, err)
	}
	lock, found := manifest.ReadLock(l.tree.Shown+name, source)
	*l.report = append(*l.report, found...)
	out.lock = lock
	return nil
}

// lockName is the lock's name in the tree.
func lockName(tree Tree) string { return path.Join(path.Dir(tree.Project), LockFile) }

// eachMatch reads and parses every file that the patterns match, each once, in the order of their names.
func (l *loader) eachMatch(ctx context.Context, patterns []manifest.Pattern, use func(*document.File)) error {
	origin := map[string]manifest.Pattern{}
	var names []string
	for _, pattern := range patterns {
		matches, ok, err := l.match(pattern)
		if err != nil {
			return err
		}
		if ok && len(matches) == 0 {
			l.finding(pattern, diag.CodePatternMatchesNothing, "pattern", pattern.Value)
		}
		for _, name := range matches {
			if _, seen := origin[name]; !seen {
				origin[name] = pattern
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		source, err := l.readNamed(origin[name], name)
		if err != nil {
			return err
		}
		if source == nil {
			continue
		}
		if file := l.parse(name, source); file != nil {
			use(file)
			file.Release()
		}
	}
	return nil
}

func (l *loader) loadText(entry manifest.Entry[manifest.Source], out *loaded) error {
	name, ok := l.resolve(entry.Value.Path)
	if !ok {
		return nil
	}
	source, err := l.readNamed(entry.Value.Path, name)
	if err != nil || source == nil {
		return err
	}
	text, problems := definition.NormalizeText(source)
	raw := document.TextFile(l.tree.Shown+name, source)
	*l.report = append(*l.report, diag.At(textLocator{raw}, problems...)...)
	if diag.Failed(problems) {
		return nil
	}
	out.texts[entry.ID] = sourceText{normalised: text, file: document.TextFile(l.tree.Shown+name, []byte(text))}
	return nil
}

// textLocator places findings about a text whose offsets count its raw bytes.
type textLocator struct{ file *document.File }

func (t textLocator) Locate(target diag.Target) diag.Place {
	return t.file.Place(target.Offset, target.Offset+target.Length)
}

func (l *loader) parse(name string, source []byte) *document.File {
	file, found := document.Parse(l.tree.Shown+name, source)
	*l.report = append(*l.report, found...)
	if file == nil || file.Root == nil {
		return nil
	}
	return file
}

// resolve turns a path that a document names into a name in the tree, or reports why it cannot be one.
func (l *loader) resolve(named manifest.Text) (string, bool) {
	why := badPath(named.Value)
	if why != "" {
		l.finding(named, diag.CodePathRefused, "path", named.Value, "why", why)
		return "", false
	}
	return path.Join(path.Dir(l.tree.Project), named.Value), true
}

// badPath says what is wrong with a path in a document; "" when nothing is.
func badPath(p string) string {
	switch {
	case p == "":
		return "it is empty"
	case strings.ContainsRune(p, '\\'):
		return "it contains a backslash; write forward slashes"
	case strings.HasPrefix(p, "/"):
		return "it is absolute"
	case len(p) > 1 && p[1] == ':':
		return "it names a drive"
	case len(p) > 1024:
		return "it is longer than 1024 bytes"
	}
	if strings.ContainsFunc(p, unicode.IsControl) {
		return "it has a control character"
	}
	for _, segment := range strings.Split(p, "/") {
		if len(segment) > 255 {
			return "it has a name of more than 255 bytes"
		}
		switch segment {
		case "..":
			return "it leaves the Project with `..`"
		case "", ".":
			return "it has an empty or `.` segment"
		}
	}
	return ""
}

// match expands a pattern segment by segment. Dot files match only a segment that is written out.
func (l *loader) match(pattern manifest.Pattern) (names []string, ok bool, err error) {
	if _, ok := l.resolve(pattern); !ok {
		return nil, false, nil
	}
	if strings.Contains(pattern.Value, "**") {
		l.finding(pattern, diag.CodePathRefused, "path", pattern.Value, "why", "`**` is not a pattern here; name each folder")
		return nil, false, nil
	}
	if _, err := path.Match(pattern.Value, ""); err != nil {
		l.finding(pattern, diag.CodePathRefused, "path", pattern.Value, "why", "its brackets are not a pattern")
		return nil, false, nil
	}
	names = []string{path.Dir(l.tree.Project)}
	segments := strings.Split(pattern.Value, "/")
	for i, segment := range segments {
		names, err = l.matchSegment(pattern, names, segment, i == len(segments)-1)
		if err != nil {
			return nil, false, fmt.Errorf("listing files for the pattern %q: %w", pattern.Value, err)
		}
	}
	return names, true, nil
}

func (l *loader) matchSegment(pattern manifest.Pattern, folders []string, segment string, last bool) ([]string, error) {
	var out []string
	for _, folder := range folders {
		entries, err := fs.ReadDir(l.tree.Files, folder)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			continue
		case isEscape(err):
			l.finding(pattern, diag.CodePathRefused, "path", pattern.Value, "why", folder+" leads out of the Project's folder")
			continue
		case err != nil:
			return nil, err
		}
		for _, entry := range entries {
			name := entry.Name()
			if matched, _ := path.Match(segment, name); !matched && name != segment {
				continue
			}
			if strings.HasPrefix(name, ".") && !strings.HasPrefix(segment, ".") {
				continue
			}
			if last == l.isFolder(folder, entry, !last) {
				continue
			}
			out = append(out, path.Join(folder, name))
		}
	}
	return out, nil
}

// isFolder tells folders, also behind a link. A link that leads nowhere good is what the pattern needs it to be: who
// reads it says what is wrong.
func (l *loader) isFolder(folder string, entry fs.DirEntry, needed bool) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := fs.Stat(l.tree.Files, path.Join(folder, entry.Name()))
	if err != nil {
		return needed
	}
	return info.IsDir()
}

// readNamed reads a file that a document names. What is wrong with the file is a finding at the name, and the
// result is then nil; an error is a fault of the machine.
func (l *loader) readNamed(named manifest.Text, name string) ([]byte, error) {
	source, err := l.read(name)
	var refused *refusedFile
	switch {
	case err == nil:
		return source, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		l.finding(named, diag.CodeFileMissing, "path", l.tree.Shown+name)
	case errors.Is(err, syscall.ELOOP):
		l.finding(named, diag.CodePathRefused, "path", named.Value, "why", "it is a link that leads back to itself")
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, fs.ErrInvalid):
		l.finding(named, diag.CodePathRefused, "path", named.Value, "why", "it cannot be the name of a file")
	case errors.As(err, &refused):
		l.finding(named, diag.CodePathRefused, "path", named.Value, "why", refused.why)
	case isEscape(err):
		l.finding(named, diag.CodePathRefused, "path", named.Value, "why", "it leads out of the Project's folder")
	default:
		return nil, fmt.Errorf("reading %s: %w", l.tree.Shown+name, err)
	}
	return nil, nil
}

// refusedFile is a file that is there and must not be read.
type refusedFile struct {
	why      string
	tooLarge bool
}

func (r *refusedFile) Error() string { return r.why }

// read reads a regular file within the limits.
func (l *loader) read(name string) ([]byte, error) { return l.readUpTo(name, MaxFileBytes) }

func (l *loader) readUpTo(name string, most int64) ([]byte, error) {
	if source, ok := l.raw[l.tree.Shown+name]; ok {
		return source, nil
	}
	file, err := openRegular(l.tree.Files, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, err := readAll(file, most)
	if err != nil {
		return nil, err
	}
	if int64(len(source)) > most {
		return nil, &refusedFile{why: fmt.Sprintf("it is larger than %d bytes", most), tooLarge: true}
	}
	if l.total += int64(len(source)); l.total > MaxProjectBytes {
		return nil, &refusedFile{why: fmt.Sprintf("the Project's files together are larger than %d bytes", MaxProjectBytes)}
	}
	l.raw[l.tree.Shown+name] = source
	return source, nil
}

// readAll reads a file up to one byte more than it may have. The size that the file states saves copies, no more.
func readAll(file fs.File, most int64) ([]byte, error) {
	size := int64(0)
	if info, err := file.Stat(); err == nil {
		size = min(info.Size(), most)
	}
	var source bytes.Buffer
	source.Grow(int(size) + bytes.MinRead)
	_, err := source.ReadFrom(io.LimitReader(file, most+1))
	return source.Bytes(), err
}

// openRegular opens a file only if it is a regular one. It looks before it opens, because opening a pipe waits for
// a writer, and looks again afterwards, because the name may have changed hands in between.
func openRegular(files fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &refusedFile{why: "it is not a regular file"}
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &refusedFile{why: "it is not a regular file"}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// isEscape tells the error of os.Root for a name that leads out of it.
func isEscape(err error) bool {
	var pathError *fs.PathError
	return errors.As(err, &pathError) && strings.Contains(pathError.Err.Error(), "escapes")
}

func (l *loader) finding(at manifest.Text, code diag.Code, pairs ...string) {
	*l.report = append(*l.report, diag.At(at.File, diag.New(code, at.Pointer, pairs...))...)
}
