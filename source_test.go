package seifc_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// longFiles may have more than maxLines lines, each for its reason.
var longFiles = map[string]string{
	"bundle/attack_test.go": "one table of attacks on the reader, read from top to bottom",
	"diag/codes_bundle.go":  "one table of codes with their texts; it has no logic",
}

const maxLines = 500

// clock are the members of package time that look at the clock, wait for it, or read the machine's zones.
var clock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "After": true, "AfterFunc": true, "Tick": true, "NewTicker": true, "NewTimer": true,
	"Sleep": true, "Local": true, "LoadLocation": true,
}

// sourceFile is one parsed file of ours.
type sourceFile struct {
	name string // inside the module
	tree *ast.File
}

// sources parses the non-test files of every package, those for other systems included.
func sources(t *testing.T) (map[string][]sourceFile, *token.FileSet) {
	t.Helper()
	set := token.NewFileSet()
	found := map[string][]sourceFile{}
	all := ours(t)
	for _, place := range sorted(all) {
		p := all[place]
		for _, name := range append(append([]string{}, p.GoFiles...), p.IgnoredGoFiles...) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			found[place] = append(found[place], sourceFile{filepath.ToSlash(filepath.Join(place, name)), tree})
		}
	}
	return found, set
}

func TestEveryPackageSaysWhatItGuarantees(t *testing.T) {
	all := ours(t)
	for _, place := range sorted(all) {
		p := all[place]
		if len(p.GoFiles) > 0 && len(p.Doc) < 20 {
			t.Errorf("%s has no package comment", place)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	all := ours(t)
	long := map[string]bool{}
	for _, place := range sorted(all) {
		p := all[place]
		for _, names := range [][]string{p.GoFiles, p.TestGoFiles, p.XTestGoFiles, p.IgnoredGoFiles} {
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(p.Dir, name))
				if err != nil {
					t.Fatal(err)
				}
				file := filepath.ToSlash(filepath.Join(place, name))
				lines := strings.Count(string(data), "\n")
				if lines <= maxLines {
					continue
				}
				long[file] = true
				if longFiles[file] == "" {
					t.Errorf("%s has %d lines; more than %d need a reason", file, lines, maxLines)
				}
			}
		}
	}
	for _, file := range sorted(longFiles) {
		if !long[file] {
			t.Errorf("%s is excused for its length and is not long", file)
		}
	}
}

func TestDecisionsDoNotLookAtTheClock(t *testing.T) {
	found, set := sources(t)
	for _, place := range sorted(found) {
		if !pure(place) {
			continue
		}
		for _, file := range found[place] {
			name := importedAs(file.tree, "time")
			if name == "" {
				continue
			}
			ast.Inspect(file.tree, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && clock[s.Sel.Name] {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == name {
						t.Errorf("%s: uses time.%s", set.Position(s.Pos()), s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// importedAs gives the name under which a file imports a package; a dot import counts as a fault of its own.
func importedAs(file *ast.File, importPath string) string {
	for _, spec := range file.Imports {
		if strings.Trim(spec.Path.Value, `"`) != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return importPath[strings.LastIndex(importPath, "/")+1:]
	}
	return ""
}

func TestNoDotImports(t *testing.T) {
	found, set := sources(t)
	for _, place := range sorted(found) {
		for _, file := range found[place] {
			for _, spec := range file.tree.Imports {
				if spec.Name != nil && spec.Name.Name == "." {
					t.Errorf("%s: dot import", set.Position(spec.Pos()))
				}
			}
		}
	}
}

func TestNothingRunsBeforeMain(t *testing.T) {
	found, set := sources(t)
	for _, place := range sorted(found) {
		for _, file := range found[place] {
			for _, decl := range file.tree.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
					t.Errorf("%s: an init function", set.Position(f.Pos()))
				}
			}
		}
	}
}

// TestPackageVariablesAreConstant holds that a package-level variable is set once, where it is declared: none is
// exported unless it is an error, and no function assigns to one, takes its address, or changes what it holds. The
// address of an element is allowed, because tables of large entries are read that way.
func TestPackageVariablesAreConstant(t *testing.T) {
	found, set := sources(t)
	for _, place := range sorted(found) {
		scope, uses := resolve(place, found[place], set)
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if !ok {
				continue
			}
			if v.Exported() && !strings.HasPrefix(name, "Err") {
				t.Errorf("%s: the variable %s is exported: any package could change it", set.Position(v.Pos()), name)
			}
		}
		isVariable := func(x *ast.Ident) bool {
			v, ok := uses[x].(*types.Var)
			return ok && v.Parent() == scope
		}
		for _, file := range found[place] {
			for _, at := range changes(file.tree, isVariable) {
				t.Errorf("%s: changes the package-level variable %s", set.Position(at.Pos()), at.Name)
			}
			for _, at := range changeable(file.tree) {
				t.Errorf("%s: a package-level variable that is there to be changed", set.Position(at))
			}
		}
	}
}

// resolve gives a package's scope and what its identifiers stand for. Imports are not followed, and what cannot be
// typed for that reason does not matter here: names of the package are resolved all the same.
func resolve(place string, files []sourceFile, set *token.FileSet) (*types.Scope, map[*ast.Ident]types.Object) {
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	trees := make([]*ast.File, len(files))
	for i, file := range files {
		trees[i] = file.tree
	}
	// The error is that of the imports; see above.
	pkg, _ := config.Check(place, set, trees, info)
	return pkg.Scope(), info.Uses
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) {
	return nil, errors.New("imports are not followed")
}

// changeable gives the places of package-level variables of types that exist to be changed, such as sync.Mutex.
func changeable(file *ast.File) []token.Pos {
	var found []token.Pos
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok || general.Tok != token.VAR {
			continue
		}
		for _, spec := range general.Specs {
			value := spec.(*ast.ValueSpec)
			if s, ok := value.Type.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == "sync" || x.Name == "atomic") {
					found = append(found, value.Pos())
				}
			}
		}
	}
	return found
}

// changes gives the places that change a variable.
func changes(tree ast.Node, isVariable func(*ast.Ident) bool) []*ast.Ident {
	var found []*ast.Ident
	add := func(e ast.Expr) {
		if x := root(e); x != nil && isVariable(x) {
			found = append(found, x)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, left := range n.Lhs {
					add(left)
				}
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				add(n.Key)
				add(n.Value)
			}
		case *ast.UnaryExpr:
			if _, element := n.X.(*ast.IndexExpr); n.Op == token.AND && !element {
				add(n.X)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear" || f.Name == "copy") && len(n.Args) > 0 {
				add(n.Args[0])
			}
		}
		return true
	})
	return found
}

// root is the variable that an expression such as x.f[i] reaches into, or nil.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// TestChangesAreSeen shows the rule a package that breaks it, in each way that it knows, and one that does not.
func TestChangesAreSeen(t *testing.T) {
	const source = `package p

var a, b, c, d, e, f, g = 1, []int{1}, map[int]int{}, struct{ x int }{}, 0, []int{}, []struct{ x int }{{1}}

func breaks() {
	a = 2
	b[0]++
	delete(c, 1)
	d.x = 3
	for e = range 3 {
	}
	_ = &f
}

func keeps(c map[int]int) int {
	a := 1
	a++
	delete(c, 1)
	p := &g[0]
	return a + p.x + b[0]
}
`
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	scope, uses := resolve("p", []sourceFile{{"p.go", tree}}, set)
	var got []string
	for _, x := range changes(tree, func(x *ast.Ident) bool { v, ok := uses[x].(*types.Var); return ok && v.Parent() == scope }) {
		got = append(got, x.Name)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e", "f"}, got); diff != "" {
		t.Errorf("changes that were seen (-want +got):\n%s", diff)
	}
}
