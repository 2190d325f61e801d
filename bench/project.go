package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// ProjectName is the name of every generated Project.
const ProjectName = "bench"

// Size says how large a Project is to be.
type Size struct {
	Tools       int
	Tests       int
	Expressions int // policies, and conditions of includes and context entries
}

// Proportional is the Project with n tools, as many tests, and a tenth as many expressions.
func Proportional(n int) Size { return Size{Tools: n, Tests: n, Expressions: n / 10} }

const (
	toolsPerCatalogue = 25
	testsPerFile      = 50
	toolsPerProfile   = 25 // its own, and sharedTools beside them
	sharedTools       = 5  // the first tools, which every profile includes
	toolsPerSource    = 20
	sourceBytes       = 1500
	sourcesPerProfile = 3
)

// project is a Project that is being written. Everything random comes from one seeded source, in a fixed order.
type project struct {
	size     Size
	random   *rand.Rand
	tools    []tool
	policies int
	whens    int
}

// Write writes a Project into a folder that exists and is empty. Its tools are not pinned: `seifc pin` does that.
func Write(dir string, size Size) error {
	if size.Tools < 1 || size.Tools > 100_000 || size.Tests < 0 || size.Expressions < 0 {
		return fmt.Errorf("no Project of size %+v can be written", size)
	}
	p := &project{size: size, random: rand.New(rand.NewPCG(0x5e1f, 1))}
	p.policies = size.Expressions * 7 / 10
	p.whens = size.Expressions - p.policies
	for i := range size.Tools {
		p.tools = append(p.tools, p.newTool(i))
	}
	files := map[string][]byte{"seif.yaml": p.projectFile()}
	for i := 0; i < len(p.tools); i += toolsPerCatalogue {
		files[fmt.Sprintf("tools/part-%04d.yaml", i/toolsPerCatalogue)] = p.catalogueFile(i)
	}
	for i := 0; i < size.Tests; i += testsPerFile {
		files[fmt.Sprintf("tests/part-%04d.yaml", i/testsPerFile)] = p.testFile(i)
	}
	for i := range p.sources() {
		files[fmt.Sprintf("context/source-%04d.md", i)] = p.sourceFile(i)
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (p *project) sources() int {
	return max(sourcesPerProfile, p.size.Tools/toolsPerSource)
}

func (p *project) profiles() int {
	return (p.size.Tools + toolsPerProfile - 1) / toolsPerProfile
}

// profileOf gives the profile whose own tools hold the i-th.
func (p *project) profileOf(i int) int { return i / toolsPerProfile }

// projectFile gives seif.yaml.
func (p *project) projectFile() []byte {
	var out bytes.Buffer
	out.WriteString("schema: seif.context-project.v1\nname: " + ProjectName + "\n")
	out.WriteString(`description: A generated Project for measuring.
catalogues: [tools/*.yaml]
`)
	if p.size.Tests > 0 {
		out.WriteString("tests: [tests/*.yaml]\n")
	}
	out.WriteString(`inputs:
  type: object
  required: [account_id, region, is_manager]
  properties:
    account_id: {type: string, maxLength: 20, pattern: "^a-[0-9]{1,10}$"}
    region: {type: string, enum: [east, north, south, west]}
    is_manager: {type: boolean}
    notes: {type: array, maxItems: 2, items: {type: string, maxLength: 500}}
forward: [account_id]
objectives:
  act: Change something.
  ask: Answer a question.
  review: Look back at what was done.
sources:
  notes: {input: notes}
`)
	for i := range p.sources() {
		fmt.Fprintf(&out, "  source-%04d: context/source-%04d.md\n", i, i)
	}
	out.WriteString("tools:\n")
	for _, t := range p.tools {
		fmt.Fprintf(&out, "  %s:\n", t.id)
	}
	p.writePolicies(&out)
	out.WriteString("profiles:\n")
	for i := range p.profiles() {
		p.writeProfile(&out, i)
	}
	return out.Bytes()
}

// writePolicies spreads the policies over the tools, three tools to each.
func (p *project) writePolicies(out *bytes.Buffer) {
	if p.policies == 0 {
		return
	}
	out.WriteString("policies:\n")
	for i := range p.policies {
		fmt.Fprintf(out, "  policy-%04d:\n    tools: [%s", i, p.tools[3*i%len(p.tools)].id)
		for k := 1; k < min(3, len(p.tools)); k++ {
			fmt.Fprintf(out, ", %s", p.tools[(3*i+k)%len(p.tools)].id)
		}
		fmt.Fprintf(out, "]\n    deny: %s\n    message: A call may only reach the account at hand.\n", policy(i))
	}
}

// policy gives the i-th condition; no two are alike. None denies a call for the account a-1 in the region west.
func policy(i int) string {
	switch i % 4 {
	case 0:
		return fmt.Sprintf(`args.account_id != inputs.account_id && inputs.account_id != "a-%d"`, 1000+i)
	case 1:
		return fmt.Sprintf(`args.account_id != inputs.account_id && !(inputs.is_manager && inputs.region in ["north", "south"] && args.account_id != "a-%d")`, 1000+i)
	case 2:
		return fmt.Sprintf(`inputs.region == "north" && args.account_id.startsWith("a-%d")`, 1000+i)
	default:
		return fmt.Sprintf(`size(args.account_id) > %d && inputs.region != "west"`, 3+i%10)
	}
}

// denies tells whether the i-th policy denies a call for another account.
func denies(i int) bool { return i%4 < 2 }

// writeProfile writes one profile. Conditions hold for the inputs that the tests give.
func (p *project) writeProfile(out *bytes.Buffer, i int) {
	fmt.Fprintf(out, "  profile-%04d:\n    budget: {tokens: 200000}\n    objectives: [act, ask, review]\n    context:\n", i)
	whens := spread(p.whens, p.profiles(), i)
	for k := range sourcesPerProfile {
		source := (i*sourcesPerProfile + k) % p.sources()
		if k == 1 && whens > 0 {
			fmt.Fprintf(out, "      - {source: source-%04d, when: 'inputs.region != \"north\" && inputs.account_id != \"a-%d\"'}\n", source, 5000+i)
			whens--
			continue
		}
		fmt.Fprintf(out, "      - source-%04d\n", source)
	}
	out.WriteString("      - notes\n    tools:\n      include:\n")
	for _, index := range p.included(i) {
		t := p.tools[index]
		switch {
		case whens > 0:
			whens--
			fmt.Fprintf(out, "        - {tool: %s, when: 'inputs.region != \"north\" || inputs.account_id == \"a-%d\"'}\n", t.id, 100_000+index)
		case t.write && index >= sharedTools:
			fmt.Fprintf(out, "        - {tool: %s, objectives: [act, review], call_limit: 1}\n", t.id)
		default:
			fmt.Fprintf(out, "        - %s\n", t.id)
		}
	}
}

// included gives the tools of a profile: the shared ones and its own, each once.
func (p *project) included(i int) []int {
	var all []int
	for k := range min(sharedTools, len(p.tools)) {
		all = append(all, k)
	}
	for k := max(sharedTools, i*toolsPerProfile); k < min((i+1)*toolsPerProfile, len(p.tools)); k++ {
		all = append(all, k)
	}
	return all
}

// spread gives the i-th of n shares of a total.
func spread(total, n, i int) int { return total*(i+1)/n - total*i/n }

// sourceFile gives the text of a source.
func (p *project) sourceFile(i int) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Part %d\n\n", i)
	for out.Len() < sourceBytes {
		out.WriteString(p.sentence(400))
		out.WriteString("\n\n")
	}
	out.WriteString("You speak for the account {{ inputs.account_id }} in the region {{ inputs.region }}.\n")
	return out.Bytes()
}
