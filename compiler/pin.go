package compiler

import (
	"context"
	"fmt"
	"slices"

	"github.com/seif-dev/seifc/diag"
	"github.com/seif-dev/seifc/digest"
	"github.com/seif-dev/seifc/digest/canonical"
	"github.com/seif-dev/seifc/document"
	"github.com/seif-dev/seifc/manifest"
)

// PinOptions say which pins may move. Missing pins are always filled.
type PinOptions struct {
	// All moves every pin to its current contract; Only moves those of the given tool or contract ids.
	All  bool
	Only []string
}

// Pinned is one pin that was filled or moved.
type Pinned struct {
	Tool     string
	Contract string
	Old      string // empty when the pin was missing
	New      string
	// Changes says what changed, when the lock has the old contract.
	Changes []string
	// Kept says that the old contract was moved into the catalogue's revisions, because another pin names it.
	Kept bool
}

// Edit is a file's new content.
type Edit struct {
	// Name is the file in the Project's tree.
	Name string
	Data []byte
}

// PinResult is what pinning would write. Nothing has been written yet.
type PinResult struct {
	Findings []diag.Diagnostic
	Pinned   []Pinned
	// Edits are in the order in which they are to be written, so that a crash in between leaves a Project whose
	// next check says what is missing.
	Edits []Edit
}

// Pin fills missing pins with the fingerprints of the current contracts, moves those that the options name, and
// writes the lock anew. References between contracts are pins too.
func Pin(ctx context.Context, tree Tree, options PinOptions) (*PinResult, error) {
	var report []diag.Diagnostic
	given, err := pinReferences(ctx, tree, options)
	if err != nil {
		return nil, err
	}
	changed := keys(given)
	in, err := loadOver(ctx, tree, given, &report)
	if err != nil {
		return nil, err
	}
	out := &PinResult{}
	if in.project == nil || diag.HasErrors(report) {
		out.Findings = diag.Sort(report)
		return out, nil
	}
	p := &pinner{in: in, table: normalise(in, &report), options: options.together(in), asked: options.Only, report: &report, out: out, files: map[string]*document.File{}, pins: newBatch()}
	for _, name := range changed {
		p.edited(name, document.TextFile(name, given[name]))
	}
	if !diag.HasErrors(report) {
		if err := p.pin(); err != nil {
			return nil, err
		}
	}
	out.Findings = diag.Sort(report)
	if diag.HasErrors(report) {
		out.Edits, out.Pinned = nil, nil
	}
	return out, nil
}

// pinReferences fills and moves the fingerprints of references to shared schemas, and gives the new content of the
// files that have them, by shown path.
func pinReferences(ctx context.Context, tree Tree, options PinOptions) (map[string][]byte, error) {
	var unused []diag.Diagnostic // whatever is wrong is found again on the edited files
	in, err := load(ctx, tree, &unused)
	if err != nil || in.project == nil {
		return map[string][]byte{}, err
	}
	shared := normalise(in, &unused).shared
	batch := newBatch()
	options = options.together(in)
	for _, ref := range references(in) {
		if len(shared[ref.Ref]) == 0 {
			continue
		}
		current := shared[ref.Ref][0].fingerprint.String()
		moves := options.All || slices.Contains(options.Only, ref.Ref)
		if ref.Fingerprint != current && (ref.Fingerprint == "" || moves) {
			batch.put(ref.File, ref.Pointer+"/fingerprint", current)
		}
	}
	given := map[string][]byte{}
	for _, name := range batch.order {
		file, err := batch.apply(name)
		if err != nil {
			return nil, fmt.Errorf("pinning references: %w", err)
		}
		given[name] = file.Source
	}
	return given, nil
}

// batch collects edits of values, so that each file is edited once however many pins stand in it.
type batch struct {
	order  []string
	files  map[string]*document.File
	values map[string]map[string]canonical.Value
}

func newBatch() *batch {
	return &batch{files: map[string]*document.File{}, values: map[string]map[string]canonical.Value{}}
}

func (b *batch) put(file *document.File, pointer string, value canonical.Value) {
	name := file.Path
	if b.files[name] == nil {
		b.order = append(b.order, name)
		b.files[name], b.values[name] = file, map[string]canonical.Value{}
	}
	b.values[name][pointer] = value
}

// apply makes the edits of one file: values that are there are replaced together, missing members are added.
func (b *batch) apply(name string) (*document.File, error) {
	file := b.files[name]
	present := map[string]canonical.Value{}
	var missing []string
	for _, pointer := range keys(b.values[name]) {
		if file.At(pointer) != nil {
			present[pointer] = b.values[name][pointer]
		} else {
			missing = append(missing, pointer)
		}
	}
	file, err := file.SetAll(present)
	for _, pointer := range missing {
		if err != nil {
			break
		}
		file, err = file.Insert(pointer, b.values[name][pointer])
	}
	return file, err
}

// together adds what moves with the named tools: a contract with the shared schemas that it refers to, and a shared
// schema with the contracts that refer to it. One without the other would leave a pin that fits nothing.
func (o PinOptions) together(in *loaded) PinOptions {
	if len(o.Only) == 0 {
		return o
	}
	moving := slices.Clone(o.Only)
	// The contract of a named tool leads to its shared schemas, and does not move the other pins to it.
	var through []string
	for _, entry := range in.project.Tools {
		if slices.Contains(o.Only, entry.ID) && !slices.Contains(moving, entry.Value.Contract) {
			moving, through = append(moving, entry.Value.Contract), append(through, entry.Value.Contract)
		}
	}
	contracts := in.project.Contracts
	for _, catalogue := range in.catalogues {
		contracts = append(contracts[:len(contracts):len(contracts)], catalogue.Contracts...)
	}
	for before := -1; before < len(moving); {
		before = len(moving)
		for _, entry := range contracts {
			for _, ref := range []manifest.SchemaRef{entry.Value.Schema, entry.Value.Result} {
				if ref.Ref == "" || slices.Contains(moving, ref.Ref) == slices.Contains(moving, entry.ID) {
					continue
				}
				moving = append(moving, ref.Ref, entry.ID)
			}
		}
	}
	o.Only = slices.DeleteFunc(moving, func(id string) bool { return slices.Contains(through, id) })
	return o
}

// references lists every reference to a shared schema, revisions left out: those are as they were.
func references(in *loaded) []manifest.SchemaRef {
	contracts := in.project.Contracts
	for _, catalogue := range in.catalogues {
		contracts = append(contracts[:len(contracts):len(contracts)], catalogue.Contracts...)
	}
	var refs []manifest.SchemaRef
	for _, entry := range contracts {
		for _, ref := range []manifest.SchemaRef{entry.Value.Schema, entry.Value.Result} {
			if ref.Ref != "" {
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

type pinner struct {
	in      *loaded
	table   *table
	options PinOptions
	asked   []string // as the caller named them
	report  *[]diag.Diagnostic
	out     *PinResult
	// files are the current states of files under edit, by shown path.
	files map[string]*document.File
	order []string
	pins  *batch
	lock  manifest.Lock
}

func (p *pinner) pin() error {
	link := &linker{in: p.in, table: p.table, report: p.report}
	p.checkNames()
	final := map[string]*contract{}
	for _, entry := range p.in.project.Tools {
		if c := p.one(link, entry); c != nil {
			final[entry.ID] = c
		}
	}
	if diag.HasErrors(*p.report) {
		return nil
	}
	for _, name := range p.pins.order {
		file, err := p.pins.apply(name)
		if err != nil {
			return fmt.Errorf("writing pins: %w", err)
		}
		p.edited(name, file)
	}
	if err := p.keepOld(link); err != nil {
		return err
	}
	for _, name := range p.order {
		p.out.Edits = append(p.out.Edits, Edit{Name: name[len(p.in.tree.Shown):], Data: p.files[name].Source})
	}
	return p.writeLock(final)
}

// checkNames refuses --update of what the Project does not pin.
func (p *pinner) checkNames() {
	for _, name := range p.asked {
		known := []string{}
		found := false
		for _, entry := range p.in.project.Tools {
			found = found || entry.ID == name || entry.Value.Contract == name
			known = append(known, entry.ID)
		}
		found = found || len(p.table.shared[name]) > 0
		if !found {
			slices.Sort(known)
			*p.report = append(*p.report, diag.At(p.in.project.File, diag.New(diag.CodePinUnknownTool, "/tools", "name", name, "nearest", diag.Nearest(name, known)))...)
		}
	}
}

// one gives the contract that an entry is pinned to afterwards, and edits the pin if it changes.
func (p *pinner) one(link *linker, entry manifest.Entry[manifest.Pin]) *contract {
	pin := entry.Value
	candidates := p.table.contracts[pin.Contract]
	if !p.wants(entry) {
		if locked, ok := p.keeps(link, entry); ok {
			p.lock.Pins = append(p.lock.Pins, manifest.Entry[manifest.LockedPin]{ID: entry.ID, Value: locked})
			return nil
		}
		return link.find(entry)
	}
	if len(candidates) == 0 || candidates[0].revision {
		wanted, _ := digest.ParseFingerprint(pin.Fingerprint)
		link.unresolved(entry, candidates, wanted)
		return nil
	}
	current := candidates[0]
	if !current.fingerprinted {
		*p.report = append(*p.report, diag.At(pin.FingerprintAt.File, undecided(entry, current.at))...)
		return nil
	}
	if problems := current.Contract.Check(); diag.Failed(problems) {
		*p.report = append(*p.report, diag.At(current.origins, problems...)...)
		return nil
	}
	text := current.fingerprint.String()
	if text == pin.Fingerprint {
		return current
	}
	p.pins.put(pin.FingerprintAt.File, pin.FingerprintAt.Pointer, text)
	moved := Pinned{Tool: entry.ID, Contract: pin.Contract, Old: pin.Fingerprint, New: text}
	if locked, ok := link.locked(entry.ID); ok && locked.Fingerprint.String() == pin.Fingerprint {
		moved.Changes = contractDifference(locked.Contract(), current.Value())
	}
	p.out.Pinned = append(p.out.Pinned, moved)
	return current
}

// wants tells whether a pin is filled or moved.
func (p *pinner) wants(entry manifest.Entry[manifest.Pin]) bool {
	pin := entry.Value
	return pin.Fingerprint == "" || p.options.All || slices.Contains(p.options.Only, entry.ID) || slices.Contains(p.options.Only, pin.Contract)
}

func (p *pinner) edit(at manifest.Origin, change func(*document.File) (*document.File, error)) error {
	name := at.File.Path
	current, ok := p.files[name]
	if !ok || current.At("") == nil {
		current = at.File
	}
	changed, err := change(current)
	if err != nil {
		return err
	}
	p.edited(name, changed)
	return nil
}

// edited notes the new state of a file.
func (p *pinner) edited(name string, file *document.File) {
	if _, ok := p.files[name]; !ok {
		p.order = append(p.order, name)
	}
	p.files[name] = file
}

// writeLock writes the lock of the final pins.
func (p *pinner) writeLock(final map[string]*contract) error {
	for _, id := range keys(final) {
		c := final[id]
		contract, err := canonical.Marshal(c.Value())
		if err != nil {
			return fmt.Errorf("writing the contract of %s: %w", id, err)
		}
		p.lock.Pins = append(p.lock.Pins, manifest.Entry[manifest.LockedPin]{ID: id, Value: manifest.LockedPin{
			Catalogue: p.catalogueName(c), Fingerprint: c.fingerprint, Form: contract,
		}})
	}
	form, err := p.lock.Encode()
	if err != nil {
		return fmt.Errorf("writing the lock: %w", err)
	}
	name := lockName(p.in.tree)
	if len(p.lock.Pins) == 0 && p.in.lock == nil {
		return nil
	}
	if string(p.in.raw[p.in.tree.Shown+name]) != string(form) {
		p.out.Edits = append(p.out.Edits, Edit{Name: name, Data: form})
	}
	return nil
}

// catalogueName is the name of the catalogue, or Project, in which a contract stands.
func (p *pinner) catalogueName(c *contract) string {
	for _, catalogue := range p.in.catalogues {
		if catalogue.File == c.at.File {
			return catalogue.Name
		}
	}
	return p.in.project.Name
}
