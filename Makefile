# The commands of the project. `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help

ifeq ($(OS),Windows_NT)
$(error The local stack runs on Linux and macOS: on Windows use WSL)
endif

# ARCH of the functions, in Go's words. The local stack runs them here; AWS runs
# arm64 (ARCH=arm64 make build).
ARCH ?= $(shell go env GOARCH)
FUNCTIONS = $(notdir $(patsubst %/main.go,%,$(wildcard functions/*/main.go)))

# lambda.norpc leaves out a mode that only a retired runtime uses.
GO_BUILD = CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) go build -tags lambda.norpc -trimpath -ldflags "-s -w"
GO_TEST = go test -race -shuffle=on -p 2

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: tools
tools: ## Install the pinned parts of the local stack into ignored folders
	@sh infra/local/tools.sh
