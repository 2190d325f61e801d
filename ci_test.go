package seifc_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"gopkg.in/yaml.v3"
)

// githubWorkflow is as much of the format as docs/ci/github.yml uses. Another member is an error: it would be held by
// nothing.
type githubWorkflow struct {
	Name        string            `yaml:"name"`
	On          map[string]any    `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Concurrency struct {
		Group  string `yaml:"group"`
		Cancel *bool  `yaml:"cancel-in-progress"`
	} `yaml:"concurrency"`
	Env  map[string]string    `yaml:"env"`
	Jobs map[string]githubJob `yaml:"jobs"`
}

type githubJob struct {
	Needs       string       `yaml:"needs"`
	RunsOn      string       `yaml:"runs-on"`
	Environment string       `yaml:"environment"`
	Steps       []githubStep `yaml:"steps"`
}

type githubStep struct {
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	With map[string]any    `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
}

// gitlabFile is as much of the format as docs/ci/gitlab.yml uses.
type gitlabFile struct {
	Stages    []string          `yaml:"stages"`
	Variables map[string]string `yaml:"variables"`
	Default   struct {
		Image  string   `yaml:"image"`
		Before []string `yaml:"before_script"`
	} `yaml:"default"`
	Build   gitlabJob `yaml:"build"`
	Release gitlabJob `yaml:"release"`
}

type gitlabJob struct {
	Stage         string              `yaml:"stage"`
	Environment   string              `yaml:"environment"`
	ResourceGroup string              `yaml:"resource_group"`
	Rules         []map[string]string `yaml:"rules"`
	Script        []string            `yaml:"script"`
	Artifacts     struct {
		When    string            `yaml:"when"`
		Paths   []string          `yaml:"paths"`
		Reports map[string]string `yaml:"reports"`
	} `yaml:"artifacts"`
}

func decodeStrictly(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

var (
	actionLine = regexp.MustCompile(`^ +- uses: ([a-z0-9-]+/[a-z0-9-]+)@([0-9a-f]{40}) # v[0-9]+\.[0-9]+\.[0-9]+$`)
	expression = regexp.MustCompile(`^\$\{\{ (secrets|env)\.[A-Z_]+ \}\}$`)
	// byOthers are steps that need the machine of the service: they are only held to be sound shell.
	byOthers = []string{"install", "log in"}
)

// TestGitHubWorkflow holds the form of the workflow, and runs its commands in their order: on a copy of an example,
// with keys made for it, against a registry on this machine.
func TestGitHubWorkflow(t *testing.T) {
	var workflow githubWorkflow
	decodeStrictly(t, "docs/ci/github.yml", &workflow)
	text, err := os.ReadFile("docs/ci/github.yml")
	if err != nil {
		t.Fatal(err)
	}
	actionsArePinned(t, string(text))
	if len(workflow.On) == 0 || workflow.Permissions["contents"] != "read" || len(workflow.Permissions) != 1 || len(workflow.Jobs) != 2 {
		t.Errorf("the workflow is not what this test knows: %+v", workflow)
	}
	p := newPipeline(t, workflow.Env)
	secrets := map[string]string{
		"CI_KEY": p.key("ci"), "CI_PASSWORD": pipelinePassword, "RELEASE_KEY": p.key("release"), "RELEASE_PASSWORD": pipelinePassword,
		"REGISTRY_USER": "somebody", "REGISTRY_TOKEN": "secret",
	}
	p.env["GITHUB_RUN_NUMBER"] = "7"
	used := map[string]bool{}
	for _, name := range []string{"build", "release"} {
		job, ok := workflow.Jobs[name]
		if !ok || job.RunsOn == "" || len(job.Steps) == 0 {
			t.Fatalf("the job %s is missing or empty", name)
		}
		if _, needed := workflow.Jobs[job.Needs]; job.Needs != "" && !needed {
			t.Errorf("the job %s needs %s, which does not exist", name, job.Needs)
		}
		for _, step := range job.Steps {
			p.step(step, secrets, used)
		}
	}
	for secret := range secrets {
		if !used[secret] {
			t.Errorf("the secret %s is used nowhere", secret)
		}
	}
	p.released("7")
}

// actionsArePinned holds that every action is named by its whole commit, with the version for people behind it, and by
// the same commit everywhere: a tag can be moved to code that nobody reviewed.
func actionsArePinned(t *testing.T, text string) {
	t.Helper()
	commits := map[string]string{}
	for number, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "uses:") {
			continue
		}
		found := actionLine.FindStringSubmatch(line)
		if found == nil {
			t.Errorf("line %d names no action by commit and version: %s", number+1, line)
			continue
		}
		if before, named := commits[found[1]]; named && before != found[2] {
			t.Errorf("line %d: %s is at %s elsewhere", number+1, found[1], before)
		}
		commits[found[1]] = found[2]
	}
	if len(commits) == 0 {
		t.Error("no action is named")
	}
}

// step holds the form of one step, and runs it.
func (p *pipeline) step(step githubStep, secrets map[string]string, used map[string]bool) {
	p.Helper()
	if (step.Uses == "") == (step.Run == "") {
		p.Fatalf("a step has either `uses` or `run`: %+v", step)
	}
	if step.Uses != "" {
		return
	}
	// An expression in a script is text of somebody else in a program; in the environment it is a value.
	if step.Name == "" || strings.Contains(step.Run, "${{") {
		p.Errorf("the step %q has no name, or an expression in its script", step.Name)
	}
	env := map[string]string{}
	for name, value := range step.Env {
		if !expression.MatchString(value) {
			p.Errorf("%s: %s is no secret", name, value)
			continue
		}
		secret := strings.TrimSuffix(strings.TrimPrefix(value, "${{ secrets."), " }}")
		used[secret] = true
		env[name] = secrets[secret]
	}
	p.run(step.Name, step.Run, env, slices.Contains(byOthers, step.Name))
}

// TestGitLabJobs does the same with the jobs for GitLab.
func TestGitLabJobs(t *testing.T) {
	var file gitlabFile
	decodeStrictly(t, "docs/ci/gitlab.yml", &file)
	if file.Default.Image == "" || !slices.Equal(file.Stages, []string{"build", "release"}) {
		t.Errorf("the file is not what this test knows: %+v", file)
	}
	p := newPipeline(t, file.Variables)
	p.run("before_script", strings.Join(file.Default.Before, "\n"), nil, true)
	for _, job := range []struct {
		gitlabJob
		env map[string]string
	}{
		{file.Build, map[string]string{"CI_SIGNING_KEY": p.key("ci"), "CI_SIGNING_PASSWORD": pipelinePassword}},
		{file.Release, map[string]string{
			"RELEASE_KEY": p.key("release"), "RELEASE_PASSWORD": pipelinePassword, "REGISTRY_USER": "somebody", "REGISTRY_TOKEN": "secret", "CI_PIPELINE_IID": "7",
		}},
	} {
		if !slices.Contains(file.Stages, job.Stage) || len(job.Rules) == 0 || len(job.Script) == 0 {
			t.Fatalf("a job without a known stage, rules or script: %+v", job.gitlabJob)
		}
		p.run(job.Stage, strings.Join(job.Script, "\n"), job.env, false)
		for _, kept := range job.Artifacts.Paths {
			if _, err := os.Stat(filepath.Join(p.folder, kept)); err != nil {
				t.Errorf("%s keeps %s: %v", job.Stage, kept, err)
			}
		}
	}
	p.released("7")
}

const pipelinePassword = "only for tests"

// pipeline is a repository as the files in docs/ci expect it, and a registry.
type pipeline struct {
	*testing.T
	folder string
	env    map[string]string
}

func newPipeline(t *testing.T, env map[string]string) *pipeline {
	t.Helper()
	if testing.Short() {
		t.Skip("everything in pipelines happens in programs, which are built without the race detector")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash, which the services run scripts with")
	}
	server := httptest.NewServer(registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	p := &pipeline{T: t, folder: t.TempDir(), env: map[string]string{}}
	for name, value := range env {
		p.env[name] = value
	}
	if p.env["REPOSITORY"] == "" || p.env["BUILD"] == "" {
		t.Fatalf("the file does not say where: %v", env)
	}
	p.env["REPOSITORY"] = strings.TrimPrefix(server.URL, "http://") + "/team/context"
	copyTree(t, "examples/estuda", p.folder, nil, nil)
	for _, name := range []string{"ci", "release"} {
		p.run("keygen", "seifc keygen -o "+name, map[string]string{"SEIFC_PASSWORD": pipelinePassword}, false)
	}
	const policy = `schema: seif.trust-policy.v1
project: estuda-side-panel
channels: [stable]
keys:
  ci: {file: ci.pub, roles: [tests]}
  release: {file: release.pub, roles: [release]}
require: [{role: tests}, {role: release}]
`
	if err := os.WriteFile(filepath.Join(p.folder, "trust.yaml"), []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// key takes a private key out of the repository and gives its text.
func (p *pipeline) key(name string) string {
	p.Helper()
	path := filepath.Join(p.folder, name+".key")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

// run runs a script as the services do: it ends at the first command that fails.
func (p *pipeline) run(name, script string, env map[string]string, onlyRead bool) string {
	p.Helper()
	flags := "-eo"
	if onlyRead {
		flags = "-neo"
	}
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", flags, "pipefail", "-c", script)
	cmd.Dir = p.folder
	cmd.Env = []string{"PATH=" + filepath.Dir(program(p.T, "seifc")) + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + p.folder + "/home", "LC_ALL=C"}
	for _, variables := range []map[string]string{p.env, env} {
		for variable, value := range variables {
			cmd.Env = append(cmd.Env, variable+"="+value)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("%s: %v\n%s", name, err, out)
	}
	if secret := env["RELEASE_PASSWORD"]; secret != "" && strings.Contains(string(out), secret) {
		p.Errorf("%s prints a password", name)
	}
	return string(out)
}

// released holds that the registry has what the policy wants, under the number of the run.
func (p *pipeline) released(sequence string) {
	p.Helper()
	report := p.run("verify", `seifc verify --trust trust.yaml --channel "$CHANNEL" "oci://$REPOSITORY:$CHANNEL"`, nil, false)
	for _, part := range []string{"\nVERIFIED sha256:", "sequence " + sequence} {
		if !strings.Contains(report, part) {
			p.Errorf("%q is not in\n%s", part, report)
		}
	}
}
