package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
)

// record writes what hooks.py would have counted.
func record(t *testing.T, statuses map[string][]int) calls {
	t.Helper()
	var rows calls
	for operation, each := range statuses {
		for _, status := range each {
			row := struct {
				Operation, Method string
				Status, Calls     int
			}{operation, "GET", status, 3}
			rows = append(rows, row)
		}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "calls.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := readCalls(folder)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestAnOperationThatNeverSucceededIsNamed(t *testing.T) {
	statuses := map[string][]int{}
	for _, r := range route.All() {
		statuses[r.Operation] = []int{200, 400}
	}
	for _, queues := range []string{"claimRewards", "testTelegram", "testWebhook", "replayDelivery"} {
		statuses[queues] = []int{202, 400}
	}
	if missing := record(t, statuses).withoutSuccess(); len(missing) != 0 {
		t.Errorf("%v are named, and all succeeded", missing)
	}
	statuses["submitToken"] = []int{400, 202, 401}
	delete(statuses, "getHealth")
	c := record(t, statuses)
	if missing := c.withoutSuccess(); !slices.Equal(missing, []string{"submitToken", "getHealth"}) {
		t.Errorf("%v are named, want submitToken and getHealth", missing)
	}
	if want := 3 * (2*(len(route.All())-2) + 3); c.total() != want {
		t.Errorf("%d calls in all, want %d", c.total(), want)
	}
	if !strings.Contains(c.table(), "202 x 3, 400 x 3, 401 x 3") {
		t.Errorf("the table is\n%s", c.table())
	}
}

func TestUncountedCalls(t *testing.T) {
	if _, err := readCalls(t.TempDir()); err == nil {
		t.Error("a folder without a count is taken")
	}
}
