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

# lambda.norpc leaves out a mode that only a retired runtime uses.
GO_BUILD = CGO_ENABLED=0 $(TARGET) go build -tags lambda.norpc -trimpath -ldflags "-s -w"
GO_TEST = go test -race -shuffle=on -p 2

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: tools
tools: ## Install the pinned parts of the local stack into ignored folders
	@sh infra/local/tools.sh

# One go build for all of them shares the work; it leaves alone what is up to
# date, so the zips and their hashes change only with the code.
.PHONY: build
build: .build/pack ## Build and zip the functions (ARCH=arm64 for AWS; for this machine without it)
	@$(GO_BUILD) -o .build/bin/ ./functions/...
	@for f in $(FUNCTIONS); do \
	    mkdir -p .build/functions/$$f && ln -f .build/bin/$$f .build/functions/$$f/bootstrap || exit 1; \
	done
	@.build/pack .build/functions

.PHONY: .build/pack .build/cdk-app .build/run
.build/pack:
	@cd infra && go build -o ../$@ ./pack
.build/cdk-app:
	@cd infra && go build -o ../$@ .
.build/run:
	@cd infra && go build -o ../$@ ./local/cmd/run

.PHONY: run
run: tools .build/run ## Run the whole service here and launch a token (PORT=8080 CHAIN=offline ONCE=1 LAUNCH=0)
	@exec .build/run
