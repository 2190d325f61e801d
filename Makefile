# Everything here needs Go and make and nothing else, with two exceptions: `make race` needs a C compiler, because the
# race detector does, and `make interop` installs clients that are not ours.

GO ?= go
BIN := bin
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# How long each fuzz target runs.
FUZZTIME ?= 5s

.DEFAULT_GOAL := help
.PHONY: help example test build bench fuzz race lint determinism docs interop clean

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "%-18s %s\n", $$1, $$2 }'

build: ## build the programs into bin/
	$(GO) build -trimpath -o $(BIN)/ ./cmd/...

example: build ## build the programs and the reference Project, examples/estuda
	$(BIN)/seifc build examples/estuda

# SUMMARY_FLAGS in the environment are flags of tools/testsummary; .ci/run forbids skips with them.
test: ## run all tests and print how many passed
	@$(GO) test -json ./... | $(GO) run ./tools/testsummary $$SUMMARY_FLAGS

bench: ## measure speed and memory, and hold them against the bars
	$(GO) run ./bench/run

fuzz: ## run every fuzz target for FUZZTIME (default 5s)
	@$(GO) run ./tools/fuzzall -time $(FUZZTIME)

race: ## run all tests under the race detector
	@$(GO) test -race -short -json ./... | $(GO) run ./tools/testsummary

lint: ## vet, gofmt and staticcheck
	$(GO) vet ./...
	@unformatted=$$(gofmt -l $$($(GO) list -f '{{.Dir}}' ./...)); if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	$(GO) run $(STATICCHECK) ./...

determinism: ## build the same Projects in different surroundings and compare the bytes
	$(GO) test -count=1 -run '^TestDeterminism' -v .

docs: ## write the generated pages and tables of docs/ anew
	$(GO) test -count=1 -run '^TestGeneratedPages$$' . -update
	$(GO) test -count=1 -run '^TestPagesShowTheTablesOfTheProgram$$' ./cmd/seifc -update

# What is missing is installed into INTEROP_BIN, by default a folder of the user's cache; cosign alone takes minutes.
interop: ## hold our files and signatures against oras, crane, skopeo, cosign and registries
	@interop/install
	@$(GO) test -count=1 -json ./interop | $(GO) run ./tools/testsummary -no-skips

clean: ## remove what the other targets made
	rm -rf $(BIN) examples/*/build
	$(GO) clean -testcache
