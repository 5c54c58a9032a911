# The commands of the project; `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

ifeq ($(OS),Windows_NT)
$(error The local stack runs on Linux and macOS: on Windows use WSL)
endif

# ARCH builds the functions for Lambda on that architecture (arm64 or amd64).
# Without it they are built for this machine, where the local stack runs them.
TARGET = $(if $(ARCH),GOOS=linux GOARCH=$(ARCH))
FUNCTIONS = $(notdir $(patsubst %/main.go,%,$(wildcard functions/*/main.go)))

# Functions, tests and linters share what is compiled. lambda.norpc leaves out a mode that
# only a retired runtime uses. No stamp of the commit, so that a function is another one
# only when its code is.
export CGO_ENABLED = 0
export GOFLAGS += -trimpath -buildvcs=false -tags=lambda.norpc
GO_BUILD = $(TARGET) go build -ldflags "-s -w"
# The linker of some two hundred test programs collects less garbage; the tests have Go's own setting.
# Many tests wait for the local chain or for the local AWS, so more packages run at once than there
# are cores: two of each module by day, where make test runs both modules at once. make lint vets.
AT_ONCE = $(if $(filter 1,$(NIGHTLY)),1,2)
GO_TEST = GOGC=400 go test -exec 'env -u GOGC' -vet=off -shuffle=on -p $(if $(filter 1,$(NIGHTLY)),3,2)
GO_RACE = CGO_ENABLED=1 $(GO_TEST) -race
# By night the longest crash matrices run whole; see pkg/testkit/nightly.
TEST_TIMEOUT = $(if $(filter 1,$(NIGHTLY)),4h,40m)
# A program with the race detector would wait a second before its exit, in every package.
export GORACE = atexit_sleep_ms=0
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION = true
# CDK checks each template that it synthesizes, which takes longer than the rest of the synthesis. The
# templates of all stages are checked once, where a finding is an error: .build/templates.
export CDK_VALIDATION = false
# What has goroutines of its own in infra, and the race detector by night; the rest there builds,
# or waits for processes that it does not see.
RACING = ./local/... ./runtimeapi/... ./cloudwatch/...

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: tools
tools: ## Install the pinned parts into ignored folders (a second time changes nothing)
	@sh infra/local/tools.sh
	@sh infra/local/tools.sh infra/peer

# Function docs embeds the API's document. Go knows what the generator is made of, so the generator
# always runs, in half a second, and touches nothing that is up to date.
DOCUMENT = pkg/api/endpoint/docs/dist/openapi.json
.PHONY: document always
document: $(DOCUMENT) ## Build the OpenAPI document and /docs into pkg/api/endpoint/docs/dist
$(DOCUMENT): always
	@go generate ./pkg/api/endpoint/docs

# The functions embed the page. It is made again when what it is made of is newer, and
# the same sources and lock file make the same bytes.
PAGE = pkg/web/page/dist/manifest.json
PAGE_OF = $(wildcard pkg/web/page/web/*.json pkg/web/page/web/*.ts pkg/client/typescript/*.json) $(DOCUMENT) \
	$(shell find pkg/web/page/web/src pkg/web/page/web/public pkg/client/typescript/src -type f ! -name schema.d.ts)
.PHONY: page page-check
# The tests whose bundles the TypeScript verifier is held against.
PROVEN = 'Honest|RunLeaves|Forgeries|NotWalked|ProofsOfRuns|Kinds|OneAsset|Forgotten|Contradicts|AreWrong|WhatWasOwed|ChangedByte|AreNone|NotComplete|64BitsTogether|AreOnTrust|Unreachable'
page: $(PAGE) ## Build the web page into pkg/web/page/dist
$(PAGE): $(PAGE_OF)
	@sh infra/local/tools.sh pkg/web/page/web
	@cd pkg/web/page/web && npm run -s build
page-check: page ## Check the TypeScript package, the page and its browser tests: types, lint, unit tests, and that the page can be built again to the byte
	@sh infra/local/tools.sh pkg/client/typescript infra/browser
	@go test ./pkg/proof -short -count=1 -run $(PROVEN) -cases $(CURDIR)/.build/proofs/cases.json >/dev/null
	@cd pkg/client/typescript && CASES=$(CURDIR)/.build/proofs/cases.json npm run -s check
	@cd pkg/web/page/web && npm run -s check
	@cd infra/browser && npm run -s check
	@cd pkg/web/page/web && npm run -s build -- --outDir ../../../../.build/page --logLevel error && diff -r ../dist ../../../../.build/page

# One go build for all of them shares the work. It touches what is up to date, so
# only a binary that differs is copied and zipped again.
.PHONY: build
build: $(PAGE) .build/pack ## Build and zip the functions for this machine (for AWS: ARCH=arm64)
	@$(GO_BUILD) -o .build/bin/ ./functions/...
	@for f in $(FUNCTIONS); do \
	    mkdir -p .build/functions/$$f || exit 1; \
	    cmp -s .build/bin/$$f .build/functions/$$f/bootstrap || cp .build/bin/$$f .build/functions/$$f/bootstrap || exit 1; \
	done
	@.build/pack .build/functions

# Go prints its downloads, line by line: that is shown only when a build fails.
.PHONY: .build/pack .build/cdk-app .build/synth .build/run .build/invoke
.build/pack: PACKAGE = ./pack
.build/cdk-app: PACKAGE = .
.build/synth: PACKAGE = ./synth
.build/run: PACKAGE = ./local/cmd/run
.build/invoke: PACKAGE = ./local/cmd/invoke
.build/pack .build/cdk-app .build/synth .build/run .build/invoke:
	@[ -e $@ ] || echo "building $@ (the first time may take some minutes)"
	@cd infra && out=$$(go build -o ../$@ $(PACKAGE) 2>&1) || { echo "$$out" >&2; exit 1; }

.PHONY: run
run: ## Run the whole service here, launch a token and distribute its tax (PORT=8080 CHAIN=offline|agave|agave-alpenglow ONCE=1 LAUNCH=0 DISTRIBUTE=0)
	@sh infra/local/tools.sh
	@$(MAKE) --no-print-directory $(PAGE) .build/run
	@[ -e .local/tokenlaunch ] || echo "building .local/tokenlaunch, the command (the first time may take some minutes)"
	@go build -o .local/tokenlaunch ./pkg/client/tokenlaunch
	@exec .build/run

.PHONY: distribute
distribute: ## Open the newest slot of a token of the running stack, and verify what it pays (MINT=address, default make run's token; KEY=its creator's key file, to transfer it first)
	@cd infra && go run ./local/cmd/distribute

# The status of a call is that of .build/invoke, which says more than make's own.
.PHONY: invoke
invoke: .build/invoke ## Call one function of the running stack, without Docker (FN=tokens EVENT=tokens-list|file|-)
	@.build/invoke "$(FN)" "$(EVENT)"
function-%:
	@$(GO_BUILD) -o .build/bin/ ./functions/$*

# Both modules are tested even when one fails. go test's lines come last, also after the figures: the
# rule between the layers is tested in a tenth of a second.
# The packages that are named take longest, so they begin first; go test prints in the
# order of the names.
LONGEST = ./pkg/distribution/run ./pkg/market/watch ./pkg/distribution/payout
# By day the race detector watches the packages with goroutines or locks of their own; a race needs
# memory that is shared. These draw, hash, call Node, or wait for the chain: the race detector makes
# them take up to four times as long, and finds in them by night what there is.
SHARING = $(addprefix ./,$(sort $(patsubst %/,%,$(dir $(shell grep -rlE --include='*.go' --exclude='*_test.go' \
	'^[[:space:]]*go [a-z]|errgroup\.|wg\.Go|parallel\.[A-Z]|sync\.(Mutex|RWMutex|Map|WaitGroup)|atomic\.' pkg)))))
UNRACED = ./pkg/distribution/run ./pkg/distribution/payout ./pkg/distribution/unstick ./pkg/proof
RACED = $(if $(filter 1,$(NIGHTLY)),./...,./pkg/provider/solanarpc $(filter-out $(UNRACED),$(SHARING)))
# Built before the two parts begin, so that they find everything done. The tests call make themselves:
# the variables of this make belong to this make.
TESTED = tools $(PAGE) .build/pack .build/cdk-app
OWN = unset MAKEFLAGS MFLAGS MAKELEVEL
.PHONY: test test-root test-infra test-short
test: $(TESTED) build browser-tools ## Run every test: unit, contract, integration, end to end (by day a part of the longest crash matrices)
	@failed=0; rm -f .build/figures; $(MAKE) --no-print-directory -k -j$(AT_ONCE) test-root test-infra || failed=1; \
	if [ -f .build/figures ]; then echo "== figures"; cat .build/figures; fi; \
	go test -count=1 ./pkg || failed=1; exit $$failed
test-root test-infra: $(TESTED)
# Built before, for several of these tests build the functions, at once.
test-infra: build browser-tools
test-root:
	@$(OWN); failed=0; export FIGURES="$(CURDIR)/.build/figures"; \
	$(if $(filter 1,$(NIGHTLY)),,$(GO_TEST) -timeout $(TEST_TIMEOUT) $(LONGEST) $$(go list ./... | grep -vxF "$$(go list $(RACED))") || failed=1;) \
	$(GO_RACE) -timeout $(TEST_TIMEOUT) $(RACED) || failed=1; exit $$failed
test-infra:
	@sh infra/tools/install.sh aws
	@$(OWN); cd infra && failed=0; $(if $(filter 1,$(NIGHTLY)),$(GO_RACE) $(RACING) || failed=1;) \
	$(GO_TEST) -timeout $(TEST_TIMEOUT) ./e2e ./e2e/browser ./strangers ./runbook ./e2e/restore ./release ./operate ./... || failed=1; exit $$failed
# Neither shuffled nor raced, so that go test remembers what has not changed.
test-short: $(DOCUMENT) ## Run the tests that need neither MiniStack nor Surfpool
	@failed=0; go test -short ./... || failed=1; \
	(cd infra && go test -short ./...) || failed=1; exit $$failed

# Without a browser those tests are skipped, and say so; in CI that is a failure.
.PHONY: browser browser-tools
browser-tools:
	@sh infra/local/tools.sh infra/browser infra/node22 pkg/client/typescript
	@sh infra/tools/browser.sh install || [ -z "$$CI" ]
browser: browser-tools ## Test the page in a browser on what `make run` serves (ARGS="--headed launch", ARGS=--ui, ARGS="--debug -g 'a name'")
	@cd infra && go run ./browser $(ARGS)

# Tests whose names begin with TestReal call the exchanges' own programs: out of the
# folder DEX_PROGRAMS_DIR, or on a fork of mainnet by the node FORK_RPC_URL. Nothing
# of these programs is in this repository; pkg/testkit/localnet/dex lists the files of the folder.
MAINNET = https://api.mainnet-beta.solana.com
REAL = $(sort $(dir $(shell grep -rl --include='*_test.go' '^func TestReal' pkg)))
# Of a run that fails everything is shown; of another its results, and why tests were
# skipped.
GO_TEST_REAL = go test -count=1 -p 1 -timeout 30m -v -run '^TestReal' $(if $(NOT),-skip '^$(NOT)') $(addprefix ./,$(REAL)) >.build/$@.log 2>&1 || \
	{ grep -v '^=== ' .build/$@.log; exit 1; }; \
	grep -E '^(---|ok)' .build/$@.log; \
	grep -E '^--- SKIP' -B 1 .build/$@.log | sed -n 's/^.*_test.go:[0-9]*: //p' | sort | uniq -c | sed 's/^ *\([0-9]*\) /$@: \1 skipped: /'
.PHONY: test-dex test-fork
test-dex: tools ## Run the tests on real pool programs (DEX_PROGRAMS_DIR=folder)
	@mkdir -p .build; if [ -z "$(DEX_PROGRAMS_DIR)" ]; then \
	    echo "$@: skipped: DEX_PROGRAMS_DIR names no folder with raydium_cp_swap.so, cp_amm.so and Raydium's accounts"; exit 0; \
	fi; \
	export FORK_RPC_URL= DEX_PROGRAMS_DIR="$(abspath $(DEX_PROGRAMS_DIR))"; $(GO_TEST_REAL)
# A fork by Surfpool 1.5.0 does not list the accounts of a mint (getProgramAccounts:
# internal error), which every distribution begins with.
test-fork: NOT = TestRealDistributions
test-fork: tools ## Run them on a fork of mainnet (FORK_RPC_URL=node)
	@mkdir -p .build; export FORK_RPC_URL="$(or $(FORK_RPC_URL),$(MAINNET))"; $(GO_TEST_REAL)
	@echo "$@: left out: $(NOT)…, for a fork does not list the accounts of a mint; test-dex has them"

# Tests that also run on Agave's own validator, by package. What they have in common is that they
# write no account past the chain's rules and do not put its clock forward by more than seconds.
# Those on pools and curves need DEX_PROGRAMS_DIR, too, and say so.
AGAVE_TESTS = \
	./pkg/testkit/localnet/agave=TestAgave \
	./pkg/testkit/localnet/dex=TestAgave|TestRealProgramsAreOnTheChain \
	./pkg/provider/solanarpc=TestTokenAccountsOfTheOlderProgram|TestTokenAccountsByAccountType|TestLyingNodesOnTheChain \
	./pkg/launch=TestLaunchOnChainMatchesRequest|TestBlockhashLaunchMatchesRequest|TestConcurrentSubmitsLandOnce \
	./pkg/distribution/run=TestHoldersArePaidInSOL|TestKilledPayerPaysOnce|TestRealDistributionsThroughPools|TestHandover|TestTokenIsWoundDown|TestTwentyTokensAreWoundDownWithKills|TestRotation(DuringRun|WithKills|ProofShowsTheft) \
	./pkg/distribution/payout=TestGuardian \
	./pkg/distribution/run=TestRewardsInTokens/^the_Token_program|^a_taxed_coin|^a_frozen_account \
	./pkg/market/cpmm=TestRealPoolMatchesPrepared|TestRealSwapsMatchQuotes \
	./pkg/market/launchpad=TestRealCurveFromItsStartToItsTarget \
	infra/bench/airdrop=TestAgave \
	infra/e2e=TestLaunchFromWalletToChain|TestOfficialClientsLaunchInBothLifetimes|TestTaxIsDistributed|TestTaxOfGuardedTokenIsDistributed
AGAVE_VALIDATOR ?= solana-test-validator
MODES ?= agave agave-alpenglow
.PHONY: test-agave
test-agave: tools $(PAGE) .build/pack .build/cdk-app ## Run launches and distributions on Agave's own validator, in both consensus modes (AGAVE_VALIDATOR=file MODES=agave-alpenglow)
	@mkdir -p .build; if ! command -v "$(AGAVE_VALIDATOR)" >/dev/null; then \
	    echo "$@: skipped: AGAVE_VALIDATOR names no solana-test-validator, and none is on PATH; docs/develop.md has the build"; exit 0; \
	fi; \
	sh infra/local/tools.sh pkg/client/typescript; \
	export AGAVE_VALIDATOR="$$(command -v "$(AGAVE_VALIDATOR)")" FORK_RPC_URL= DEX_PROGRAMS_DIR="$(if $(DEX_PROGRAMS_DIR),$(abspath $(DEX_PROGRAMS_DIR)))"; \
	failed=0; for mode in $(MODES); do sh infra/tools/agave.sh $$mode '$(AGAVE_TESTS)' || failed=1; done; exit $$failed

# CI runs the targets' seeds and kept inputs with the tests; this is for the night.
EACH ?= 3s
.PHONY: fuzz nightly
fuzz: $(DOCUMENT) ## Fuzz every parser of strangers' bytes for a while (EACH=3s ONLY=pkg/solana)
	@EACH="$(EACH)" ONLY="$(ONLY)" sh infra/tools/fuzz.sh

.PHONY: matrices
matrices: tools ## Play every crash and interleaving of launches and payouts (SHARE=2/5 for a part of them)
	@failed=0; rm -f .build/figures; FIGURES="$(CURDIR)/.build/figures" WHOLE_MATRIX=$(or $(SHARE),1) \
	go test -count=1 -timeout 6h -p 1 -run 'SurvivesCrashAtEveryCall|^TestCrashMatrix$$|^TestCrashMatrixOfWhatWasHeldBefore$$|^TestInterleavingMatrix$$|^TestClaimCrashMatrix$$|^TestClaimInterleavingMatrix$$' \
	./pkg/launch ./pkg/distribution/payout ./pkg/distribution/run || failed=1; cat .build/figures; exit $$failed

# Each part runs even when another one fails.
nightly: EACH = 60s
nightly: ## Run what is too long for every change: whole crash matrices, long fuzzing, pool programs, a real validator, all Regions (EACH=60s)
	@failed=0; NIGHTLY=1 $(MAKE) --no-print-directory test || failed=1; \
	$(MAKE) --no-print-directory fuzz EACH=$(EACH) || failed=1; \
	$(MAKE) --no-print-directory test-dex || failed=1; \
	$(MAKE) --no-print-directory test-agave || failed=1; \
	$(MAKE) --no-print-directory template REGIONS=all || failed=1; \
	$(MAKE) --no-print-directory sam-build || failed=1; \
	if [ -n "$(FORK_RPC_URL)" ]; then $(MAKE) --no-print-directory test-fork || failed=1; \
	else echo "test-fork: skipped: FORK_RPC_URL names no node"; fi; exit $$failed

# By night make test has them, too.
.PHONY: generators
generators: tools build .build/cdk-app ## Generate clients from the OpenAPI document with others' generators, and call the local stack with them (ONLY=ogen)
	@cd infra && NIGHTLY=1 go test -count=1 -v -timeout 60m ./generators -run 'TestGeneratedClients/$(ONLY)'

RUNS ?= 20
.PHONY: bench
bench: tools $(PAGE) ## Measure the service and its peers into docs/performance.md (RUNS=20 ONLY=routes,load)
	@cd infra && go run ./bench -runs $(RUNS) -only "$(ONLY)"

.PHONY: load
load: tools ## Measure the handlers under load into docs/performance.md
	@cd infra && go run ./bench -only load

.PHONY: lint
lint: $(DOCUMENT) ## Run the linters over the Go code, the workflows and the OpenAPI document
	@sh infra/tools/install.sh lint
	@sh infra/local/tools.sh infra/lint
	@.local/bin/actionlint
	@sh infra/lint/words.sh
	@sh infra/lint/subjects.sh
	@python3 infra/lint/pronouns.py
	@.local/bin/golangci-lint run ./...
	@cd infra && ../.local/bin/golangci-lint run ./...
	@for module in . infra infra/tools; do (cd $$module && go mod tidy -diff) || { echo "$$module/go.mod: run go mod tidy there" >&2; exit 1; }; done
	@cd infra/lint && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	    node_modules/.bin/redocly lint --config redocly.yaml ../../$(DOCUMENT)

.PHONY: audit secrets sbom
audit: ## Ask for known faults of all dependencies (AUDIT=strict: fail when a source is away; VULNDB=file:///folder)
	@sh infra/tools/audit.sh
sbom: build ## Write what the service ships into .build/sbom (CycloneDX), and check the licences
	@sh infra/tools/sbom.sh
secrets: ## Look for secrets in the work tree and its history
	@sh infra/tools/secrets.sh

.PHONY: generate
generate: .build/templates ## Write the generated files again
	@go generate ./...
	@cd infra && go generate ./...

.PHONY: release module
release: ## Build the command and the TypeScript package of a version into .build/release (VERSION=v1.2.0)
	@VERSION="$(VERSION)" PLATFORMS="$(PLATFORMS)" sh infra/tools/release.sh
module: ## Give the Go module another path (MODULE=github.com/you/tokenlaunch)
	@MODULE="$(MODULE)" sh infra/tools/module.sh

# STAGE is dev, staging, prod or a name of your own; infra/stages has what is decided of
# each, and CONTEXT says the rest and wins. README.md has all the names.
.PHONY: assemble deploy
assemble: ARCH = arm64
assemble: build .build/cdk-app ## Make a release of a stage, into .releases (STAGE=prod CONTEXT="-c network=mainnet -c ...")
	@sh infra/local/tools.sh
	@STAGE="$(STAGE)" CONTEXT="$(CONTEXT)" sh infra/tools/assemble.sh
deploy: ## Show what a release changes, and deploy it (RELEASE=.releases/prod-0123456789ab; DRY_RUN=1 ends before that; APPROVAL=never asks nothing)
	@RELEASE="$(RELEASE)" DRY_RUN="$(DRY_RUN)" APPROVAL="$(APPROVAL)" sh infra/tools/deploy.sh

# Every stage is synthesized on every network. What there can be in a template is in one
# of the two that are checked: the others differ in values.
.PHONY: template .build/templates
# SYNTHESIZED=1 takes the templates that make generate has just written.
.build/templates: $(if $(SYNTHESIZED),,.build/synth)
	@[ -n "$(SYNTHESIZED)" ] || { cd infra && CDK_VALIDATION=true ../.build/synth ../.build/templates; }
template: .build/templates ## Check template.yaml, and synthesize and check the templates of all stages (REGIONS=all)
	@sh infra/tools/install.sh sam
	@.local/sam/bin/python infra/tools/regions.py --check .build/templates/prod-mainnet
	@AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 .local/sam/bin/sam validate --lint --template template.yaml
	@REGIONS="$(REGIONS)" sh infra/tools/lint_templates.sh .build/templates/dev-devnet .build/templates/prod-mainnet .build/templates/prod-small-mainnet

# Every finding is mended, or accepted with a reason in infra/nag/accepted.json, or
# accepted-iam.json for those about policies.
CHECKED = .build/templates/dev-devnet .build/templates/staging-devnet .build/templates/prod-mainnet .build/templates/prod-small-mainnet
.PHONY: nag
nag: .build/templates ## Check the templates of all stages with cdk-nag, and their policies with parliament
	@sh infra/local/tools.sh infra/nag
	@sh infra/tools/install.sh iam
	@cd infra/nag && node --test --test-reporter=dot accepted.test.mjs policies.test.mjs
	@node infra/nag/nag.mjs $(CHECKED)
	@node infra/nag/iam.mjs .local/iam/bin/parliament .build/policies $(CHECKED)

# sam build calls build-<Function> with ARTIFACTS_DIR set, for one function after the
# other. The first call builds all of them, for that shares the work, and the others
# find theirs done; make sam-build has built them before. They are linked, not copied,
# for they are 280 MB. SAM_ARCH goes with the parameter Architecture of template.yaml.
SAM_ARCH ?= arm64
build-%Function: ARCH = $(SAM_ARCH)
build-%Function:
	@[ -n "$(SAM_BUILT)" ] || $(MAKE) --no-print-directory .build/sam-$(SAM_ARCH)
	@built=.build/sam-$(SAM_ARCH)/$(shell echo $* | tr A-Z a-z); \
	ln -f "$$built" "$(ARTIFACTS_DIR)/bootstrap" 2>/dev/null || cp "$$built" "$(ARTIFACTS_DIR)/bootstrap"
.PHONY: .build/sam-$(SAM_ARCH)
.build/sam-$(SAM_ARCH): ARCH = $(SAM_ARCH)
.build/sam-$(SAM_ARCH): $(PAGE)
	@$(GO_BUILD) -o $@/ ./functions/...

.PHONY: sam-build
sam-build: .build/sam-$(SAM_ARCH) ## Build what `sam deploy` and `sam local` take, into .aws-sam (SAM_ARCH=arm64)
	@sh infra/tools/install.sh sam
	@SAM_BUILT=1 SAM_ARCH=$(SAM_ARCH) AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 .local/sam/bin/sam build \
	    --parameter-overrides Architecture=$(if $(filter amd64,$(SAM_ARCH)),x86_64,$(SAM_ARCH)) >.build/sam-build.log 2>&1 || \
	    { cat .build/sam-build.log >&2; exit 1; }
	@set -- .aws-sam/build/*/*; n=$$(grep -c 'Type: AWS::Serverless::Function$$' template.yaml); \
	[ "$$(ls .aws-sam/build/*/bootstrap | wc -w | tr -d ' ') $$# $$(go version -m "$$@" | grep -cE 'GOOS=linux|GOARCH=$(SAM_ARCH)|CGO_ENABLED=0')" = "$$n $$n $$((3 * n))" ] || \
	    { echo "sam build: .aws-sam/build must hold one static binary for $(SAM_ARCH) for each of $$n functions" >&2; go version -m "$$@" | grep -E '^\.|build.(GO|CGO)' >&2; exit 1; }; \
	echo "sam build: $$# functions for $(SAM_ARCH)"

.PHONY: clean
clean: ## Remove everything that the other targets installed or built
	@rm -rf .build .local .aws-sam infra/cdk.out infra/*/node_modules pkg/web/page/web/node_modules pkg/web/page/dist/* pkg/api/endpoint/docs/dist/* pkg/client/typescript/node_modules pkg/client/typescript/dist
