package main

import (
	"io"
	"testing"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// TestRoutesKeepToTheirBudget calls every route of the deployed stack's parts and holds
// what it asked of DynamoDB against the table.
func TestRoutesKeepToTheirBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it deploys the stack")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	stack, err := runner.Start(t.Context(), runner.Options{Project: folder, Folder: t.TempDir(), Offline: true, Progress: progress.New(io.Discard)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stack.Stop)
	at, err := placeOf(t.Context(), stack)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range access(stack.AWS) {
		t.Setenv(name, value)
	}
	const rounds = 2
	taken, err := measureRoutes(t.Context(), at, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range overdrawn(taken) {
		t.Error(line)
	}
	if testing.Verbose() {
		t.Log("\n" + unitTable(taken))
	}
}
