package bundle_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
)

// adding lets an update add an attachment.
func adding(a bundle.Attachment) func(*bundle.Layout) ([]bundle.Attachment, error) {
	return func(l *bundle.Layout) ([]bundle.Attachment, error) { return append(l.Attachments, a), nil }
}

// places are a file and a folder with the Build.
func places(t testing.TB, b *bundle.Build) []string {
	t.Helper()
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "x.seif"), filepath.Join(dir, "x")
	writeFile(t, file, b)
	writeDir(t, folder, b)
	return []string{file, folder}
}

func attachedTo(t testing.TB, path string) []string {
	t.Helper()
	l, err := bundle.ReadLayout(context.Background(), path, bundle.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return digestsOf(l)
}

func TestUpdate(t *testing.T) {
	ctx := context.Background()
	b := shop(t)
	one, two := attach(t, b, sigstore(1)), attach(t, b, sigstore(2))
	for _, path := range places(t, b) {
		for i, step := range []struct {
			edit func(*bundle.Layout) ([]bundle.Attachment, error)
			want bundle.Outcome
			left []string
		}{
			{adding(one), bundle.Written, sortedDigests(one)},
			{adding(one), bundle.Unchanged, sortedDigests(one)},
			{adding(two), bundle.Written, sortedDigests(one, two)},
			{func(l *bundle.Layout) ([]bundle.Attachment, error) { return l.Attachments, nil }, bundle.Unchanged, sortedDigests(one, two)},
			{func(*bundle.Layout) ([]bundle.Attachment, error) { return []bundle.Attachment{two}, nil }, bundle.Written, sortedDigests(two)},
			{func(*bundle.Layout) ([]bundle.Attachment, error) { return nil, nil }, bundle.Written, nil},
		} {
			outcome, err := bundle.Update(ctx, path, b.Digest(), step.edit)
			if err != nil || outcome != step.want {
				t.Fatalf("%s, step %d: %q, %v", path, i, outcome, err)
			}
			if d := cmp.Diff(step.left, attachedTo(t, path)); d != "" {
				t.Errorf("%s, step %d: %s", path, i, d)
			}
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 2 {
			t.Errorf("left behind: %v, %v", names, err)
		}
	}
}

// What is refused leaves everything as it was.
func TestUpdateRefuses(t *testing.T) {
	ctx := context.Background()
	b, other := shop(t), toolBuild(t)
	failed := errors.New("no signer")
	for _, path := range places(t, b) {
		before := tree(t, filepath.Dir(path))
		for name, c := range map[string]struct {
			want digest.Digest
			edit func(*bundle.Layout) ([]bundle.Attachment, error)
			code diag.Code
		}{
			"another Build was meant": {other.Digest(), adding(attach(t, b, sigstore(0))), diag.CodeBuildDigest},
			"of another Build":        {b.Digest(), adding(attach(t, other, sigstore(0))), diag.CodeAttachmentSubject},
			"a zero attachment":       {digest.Digest{}, adding(bundle.Attachment{}), diag.CodeAttachmentSubject},
			"the editor changes its l": {digest.Digest{}, func(l *bundle.Layout) ([]bundle.Attachment, error) {
				l.Build = other
				return adding(attach(t, other, sigstore(0)))(l)
			}, diag.CodeAttachmentSubject},
		} {
			_, err := bundle.Update(ctx, path, c.want, c.edit)
			if d := cmp.Diff([]diag.Code{c.code}, codesOf(t, err)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
		_, err := bundle.Update(ctx, path, b.Digest(), func(*bundle.Layout) ([]bundle.Attachment, error) { return nil, failed })
		if !errors.Is(err, failed) {
			t.Error(err)
		}
		if d := cmp.Diff(before, tree(t, filepath.Dir(path))); d != "" {
			t.Error(d)
		}
		if _, err := bundle.Update(ctx, path+".absent", b.Digest(), adding(attach(t, b, sigstore(0)))); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
	// Of several Builds only one would be left.
	path := filepath.Join(t.TempDir(), "two.seif")
	files := filesOf(t, b)
	for name, data := range filesOf(t, other) {
		files[name] = data
	}
	files["index.json"] = indexOf(t, b.Manifest(), other.Manifest())
	if err := os.WriteFile(path, pack(t, files), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := bundle.Update(ctx, path, b.Digest(), adding(attach(t, b, sigstore(0))))
	if d := cmp.Diff([]diag.Code{diag.CodeAmbiguousBuild}, codesOf(t, err)); d != "" {
		t.Error(d)
	}
}

// Modes stay, and so does a link.
func TestUpdateKeepsModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no mode bits here")
	}
	b := shop(t)
	for _, path := range places(t, b) {
		mode := os.FileMode(0o640)
		if stat(t, path).IsDir() {
			mode = 0o750
		}
		link := path + ".link"
		symlink(t, path, link)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if outcome, err := bundle.Update(context.Background(), link, b.Digest(), adding(attach(t, b, sigstore(0)))); err != nil || outcome != bundle.Written {
			t.Fatalf("%q, %v", outcome, err)
		}
		if got := stat(t, path).Mode().Perm(); got != mode {
			t.Errorf("%s has the mode %o, had %o", path, got, mode)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || len(attachedTo(t, path)) != 1 {
			t.Errorf("the link was replaced: %v", err)
		}
	}
}

// Many who attach at once, and one who builds the same Build again and again, lose nothing.
func TestConcurrentUpdates(t *testing.T) {
	ctx := context.Background()
	b := shop(t)
	for _, path := range places(t, b) {
		const writers, each = 4, 4
		var want []bundle.Attachment
		for i := range writers * each {
			want = append(want, attach(t, b, sigstore(i)))
		}
		build := bundle.WriteFile
		if stat(t, path).IsDir() {
			build = bundle.WriteDir
		}
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				for i := range each {
					if outcome, err := bundle.Update(ctx, path, b.Digest(), adding(want[w*each+i])); err != nil || outcome != bundle.Written {
						t.Errorf("%q, %v", outcome, err)
					}
				}
			})
		}
		group.Go(func() {
			for range writers * each {
				if outcome, err := build(ctx, path, b); err != nil || outcome != bundle.Unchanged {
					t.Errorf("building: %q, %v", outcome, err)
				}
				// Readers see a whole layout at every moment.
				if _, err := bundle.ReadLayout(ctx, path, bundle.ReadOptions{Digest: b.Digest()}); err != nil {
					t.Errorf("reading: %v", err)
				}
			}
		})
		group.Wait()
		if d := cmp.Diff(sortedDigests(want...), attachedTo(t, path)); d != "" {
			t.Error(d)
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 2 {
			t.Errorf("left behind: %v, %v", names, err)
		}
	}
}

// Who waits for the lock stops waiting when the context ends.
func TestUpdateWaits(t *testing.T) {
	b := shop(t)
	path := places(t, b)[0]
	_, err := bundle.Update(context.Background(), path, b.Digest(), func(l *bundle.Layout) ([]bundle.Attachment, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		for _, write := range []func() error{
			func() error {
				_, err := bundle.Update(ctx, path, b.Digest(), adding(attach(t, b, sigstore(1))))
				return err
			},
			func() error { _, err := bundle.WriteFile(ctx, path, toolBuild(t)); return err },
			func() error {
				_, err := bundle.WriteDir(ctx, filepath.Join(filepath.Dir(path), "x"), toolBuild(t))
				return err
			},
		} {
			if err := write(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("did not wait: %v", err)
			}
		}
		return append(l.Attachments, attach(t, b, sigstore(0))), nil
	})
	if err != nil || len(attachedTo(t, path)) != 1 {
		t.Error(err)
	}
}

// An interruption at any moment leaves the old layout or the new one, and nothing else. R66
func TestInterruptedUpdate(t *testing.T) {
	b := shop(t)
	a := attach(t, b, sigstore(0))
	for i := range places(t, b) {
		finished := false
		for moment := 0; !finished; moment++ {
			path := places(t, b)[i]
			before := tree(t, filepath.Dir(path))
			_, err := bundle.Update(&ending{context.Background(), moment}, path, b.Digest(), adding(a))
			if finished = err == nil; finished {
				if d := cmp.Diff(sortedDigests(a), attachedTo(t, path)); d != "" {
					t.Error(d)
				}
			} else if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			} else if d := cmp.Diff(before, tree(t, filepath.Dir(path))); d != "" {
				t.Fatalf("moment %d: %s", moment, d)
			}
			if moment > 1000 {
				t.Fatal("never finishes")
			}
		}
	}
}

// A folder that a program left beside its place when it ended between two renames is put back.
func TestRestore(t *testing.T) {
	ctx := context.Background()
	b := shop(t)
	one, two := attach(t, b, sigstore(1)), attach(t, b, sigstore(2))
	for name, write := range map[string]func(path string) error{
		"update": func(path string) error { _, err := bundle.Update(ctx, path, b.Digest(), adding(two)); return err },
		"build": func(path string) error {
			if outcome, err := bundle.WriteDir(ctx, path, b); err != nil || outcome != bundle.Unchanged {
				return fmt.Errorf("%q, %w", outcome, err)
			}
			_, err := bundle.Update(ctx, path, b.Digest(), adding(two))
			return err
		},
	} {
		path := places(t, b)[1]
		if _, err := bundle.Update(ctx, path, b.Digest(), adding(one)); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(path)
		if err := os.Rename(path, filepath.Join(dir, ".x.old-0123456789abcdef")); err != nil {
			t.Fatal(err)
		}
		makeDir(t, dir, ".x.old-0000000000000000") // one that was being removed
		if err := write(path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(sortedDigests(one, two), attachedTo(t, path)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// killed is the environment variable that makes the test program one that updates until it is killed.
const killed = "SEIF_TEST_UPDATE_UNTIL_KILLED"

// A process that is killed at any moment leaves the old layout or the new one, and no lock. R66
func TestKilledUpdate(t *testing.T) {
	if path := os.Getenv(killed); path != "" {
		updateUntilKilled(t, path)
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("two folders cannot change places in one step here")
	}
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	b := shop(t)
	for _, path := range places(t, b) {
		for round := range rounds {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			program := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilledUpdate$")
			program.Env = append(os.Environ(), killed+"="+path)
			out, err := program.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "updating") {
				t.Fatalf("%q, %v", line, err)
			}
			time.Sleep(time.Duration(round*977) * time.Microsecond)
			if err := program.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = program.Wait()
			cancel()
			l, err := bundle.ReadLayout(context.Background(), path, bundle.ReadOptions{Digest: b.Digest()})
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			for i, want := range digestsOf(signed(t, b, len(l.Attachments))) {
				if !strings.Contains(strings.Join(digestsOf(l), " "), want) {
					t.Errorf("round %d: attachment %d is lost", round, i)
				}
			}
			if _, err := bundle.Update(context.Background(), path, b.Digest(), func(*bundle.Layout) ([]bundle.Attachment, error) { return nil, nil }); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
	}
}

// updateUntilKilled adds one attachment after the other.
func updateUntilKilled(t *testing.T, path string) {
	b := shop(t)
	for i := 0; ; i = (i + 1) % bundle.MaxAttachments {
		edit := adding(attach(t, b, sigstore(i)))
		if i == 0 {
			edit = func(*bundle.Layout) ([]bundle.Attachment, error) {
				return []bundle.Attachment{attach(t, b, sigstore(0))}, nil
			}
		}
		if _, err := bundle.Update(context.Background(), path, b.Digest(), edit); err != nil {
			fmt.Println(strconv.Quote(err.Error()))
			os.Exit(1)
		}
		if i == 0 {
			fmt.Println("updating")
		}
	}
}

// A reader whose stream holds attachments is as bounded as any: more than a layout may have is refused while it is read.
func TestAttachedWithinLimits(t *testing.T) {
	b := shop(t)
	files := filesOf(t, b)
	manifests := [][]byte{}
	for i := range bundle.MaxAttachments + 1 {
		a := attach(t, b, sigstore(i))
		files[blobName(a.Manifest())], files[blobName(a.Content())] = a.Manifest(), a.Content()
		manifests = append(manifests, a.Manifest())
	}
	files[blobName([]byte("{}"))] = []byte("{}")
	put(t, files, b, manifests...)
	refused(t, pack(t, files), diag.CodeTooManyAttachments)

	files = filesOf(t, b)
	for i := range bundle.MaxAttached/bundle.MaxAttachment + 1 {
		a := attach(t, b, bytes.Repeat([]byte{byte(i)}, bundle.MaxAttachment))
		files[blobName(a.Manifest())], files[blobName(a.Content())] = a.Manifest(), a.Content()
	}
	files[blobName([]byte("{}"))] = []byte("{}")
	refused(t, pack(t, files), diag.CodeAttachmentTooLarge)
}
