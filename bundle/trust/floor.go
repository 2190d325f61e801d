package trust

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/seif-dev/seifc/bundle"
	"github.com/seif-dev/seifc/bundle/sign"
	"github.com/seif-dev/seifc/decide/definition"
	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest/canonical"
)

// floorSchema is the value of the state's `schema` member.
const floorSchema = "seif.floor-state.v1"

// FloorState is the release floor of one Project as a state file held it: by channel, the highest sequence that was
// promoted or served. It never changes; [FloorState.Advance] changes the file. The file is RFC 8785 JSON and a line
// feed, and nothing else is read.
type FloorState struct {
	path, project string
	channels      map[string]int64
}

// FloorError is the error for a state that is missing, damaged, of another Project, or ahead of what is put into it.
type FloorError struct{ Problem diag.Problem }

func (e *FloorError) Error() string { return fmt.Sprintf("the floor state: %s", e.Problem.Code) }

func floorError(code diag.Code, pairs ...string) error {
	return &FloorError{Problem: diag.New(code, "", pairs...)}
}

// CreateFloorState makes the state of a Project that has none, with no floor yet. Only call it where somebody asked for
// it in words: a state that is missing is never a reason. A file that exists is a [FloorError]; it is not touched.
func CreateFloorState(path, project string) (*FloorState, error) {
	if !definition.IDForm.Fits(project) {
		return nil, floorError(diag.CodeFloorStateMalformed, "path", path, "why", "it would have no Project")
	}
	s := &FloorState{path: path, project: project, channels: map[string]int64{}}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, floorError(diag.CodeFloorStateExists, "path", path)
	}
	if err != nil {
		return nil, fmt.Errorf("creating the floor state: %w", err)
	}
	if err := fill(file, s.encode()); err != nil {
		return nil, errors.Join(fmt.Errorf("creating the floor state: %w", err), os.Remove(path))
	}
	return s, nil
}

// OpenFloorState reads the state at path. One that is not there, or is not what was written, is a [FloorError].
func OpenFloorState(path string) (*FloorState, error) {
	data, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, floorError(diag.CodeFloorStateMissing, "path", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the floor state: %w", err)
	}
	s, why := decodeFloor(data)
	if why != "" {
		return nil, floorError(diag.CodeFloorStateMalformed, "path", path, "why", why)
	}
	s.path = path
	return s, nil
}

// Path is where the state was read.
func (s *FloorState) Path() string { return s.path }

// Project is whose state it is.
func (s *FloorState) Project() string { return s.project }

// Sequence is the floor of a channel; 0 for one that nothing was released to.
func (s *FloorState) Sequence(channel string) int64 { return s.channels[channel] }

// Advance raises the floor of a channel to a sequence, durably, and gives the state as it is then. It reads the file
// anew under a lock of its folder, so of two at once none is lost. A sequence below the floor is a [FloorError] of the
// code trust_below_floor, and the file stays as it is; so it does for the floor itself.
func (s *FloorState) Advance(ctx context.Context, channel string, sequence int64) (*FloorState, error) {
	if !definition.IDForm.Fits(channel) || sequence < 1 || sequence > sign.MaxSequence {
		return nil, floorError(diag.CodeFloorStateMalformed, "path", s.path, "why", "it would have a channel or a sequence that cannot be")
	}
	target, err := filepath.EvalSymlinks(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, floorError(diag.CodeFloorStateMissing, "path", s.path)
	}
	if err != nil {
		return nil, fmt.Errorf("advancing the floor: %w", err)
	}
	unlock, err := bundle.LockFolder(ctx, filepath.Dir(target))
	if err != nil {
		return nil, fmt.Errorf("advancing the floor: %w", err)
	}
	defer unlock()
	now, err := OpenFloorState(target)
	if err != nil {
		return nil, err
	}
	now.path = s.path
	switch floor := now.Sequence(channel); {
	case now.project != s.project:
		return nil, floorError(diag.CodeFloorStateProject, "path", s.path, "found", now.project, "expected", s.project)
	case sequence < floor:
		return nil, floorError(diag.CodeTrustBelowFloor, "channel", channel,
			"found", strconv.FormatInt(sequence, 10), "expected", strconv.FormatInt(floor, 10))
	case sequence == floor:
		return now, nil
	}
	now.channels = maps.Clone(now.channels)
	now.channels[channel] = sequence
	if err := replace(target, now.encode()); err != nil {
		return nil, fmt.Errorf("advancing the floor: %w", err)
	}
	return now, nil
}

func (s *FloorState) encode() []byte {
	channels := map[string]any{}
	for channel, sequence := range s.channels {
		channels[channel] = json.Number(strconv.FormatInt(sequence, 10))
	}
	out, err := canonical.Marshal(map[string]any{"schema": floorSchema, "project": s.project, "channels": channels})
	if err != nil {
		panic("trust: ids and integers have no canonical form: " + err.Error())
	}
	return append(out, '\n')
}

// decodeFloor reads exactly what encode writes, or says why not.
func decodeFloor(data []byte) (s *FloorState, why string) {
	if len(data) > MaxBytes {
		return nil, "it is too large"
	}
	value, err := canonical.Parse(data, canonical.Limits{Bytes: MaxBytes})
	if err != nil {
		return nil, clip(err.Error())
	}
	members, _ := value.(map[string]any)
	project, _ := members["project"].(string)
	channels, ok := members["channels"].(map[string]any)
	if members["schema"] != floorSchema || !ok || !definition.IDForm.Fits(project) {
		return nil, "its members are not schema " + floorSchema + ", project and channels"
	}
	s = &FloorState{project: project, channels: map[string]int64{}}
	for channel, value := range channels {
		number, _ := value.(json.Number)
		sequence, err := strconv.ParseInt(number.String(), 10, 64)
		if err != nil || sequence < 1 || sequence > sign.MaxSequence || !definition.IDForm.Fits(channel) {
			return nil, "the channel " + clip(channel) + " has no sequence"
		}
		s.channels[channel] = sequence
	}
	if !bytes.Equal(data, s.encode()) {
		return nil, "it is not in the one form that programs write"
	}
	return s, ""
}

// replace puts a file in place of another as a whole, durably and with its mode.
func replace(path string, data []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".floor-*")
	if err != nil {
		return err
	}
	if err := errors.Join(file.Chmod(info.Mode().Perm()), fill(file, data)); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

// fill writes a file, durably, and closes it.
func fill(file *os.File, data []byte) error {
	_, err := file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncFolder puts the names in a folder on the disk. Windows has no such thing.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
