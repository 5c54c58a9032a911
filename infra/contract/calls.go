package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/api/route"
)

// calls is what hooks.py counted: how often each operation gave which status.
type calls []struct {
	Operation, Method string
	Status, Calls     int
}

func readCalls(folder string) (calls, error) {
	// #nosec G304 -- the run's own folder
	text, err := os.ReadFile(filepath.Join(folder, "calls.json"))
	if err != nil {
		return nil, fmt.Errorf("read the counted calls: %w", err)
	}
	var c calls
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("read the counted calls: %w", err)
	}
	return c, nil
}

func (c calls) total() (sum int) {
	for _, row := range c {
		sum += row.Calls
	}
	return sum
}

// of gives the statuses of an operation with their numbers.
func (c calls) of(operation string) map[int]int {
	statuses := map[int]int{}
	for _, row := range c {
		if row.Operation == operation {
			statuses[row.Status] += row.Calls
		}
	}
	return statuses
}

// successOf are operations that answer otherwise than 200 when they did what they are for.
var successOf = map[string]int{
	"claimRewards": http.StatusAccepted, "testTelegram": http.StatusAccepted, "testWebhook": http.StatusAccepted, "replayDelivery": http.StatusAccepted,
}

// withoutSuccess lists the operations that never did what they are for.
func (c calls) withoutSuccess() []string {
	var missing []string
	for _, r := range route.All() {
		if c.of(r.Operation)[cmp.Or(successOf[r.Operation], http.StatusOK)] == 0 {
			missing = append(missing, r.Operation)
		}
	}
	return missing
}

// table is one line for each operation: status x number of calls.
func (c calls) table() string {
	var lines strings.Builder
	for _, r := range route.All() {
		statuses := c.of(r.Operation)
		var cells []string
		for status, n := range statuses {
			cells = append(cells, fmt.Sprintf("%d x %d", status, n))
		}
		slices.Sort(cells)
		fmt.Fprintf(&lines, "  %-28s%s\n", r.Operation, strings.Join(cells, ", "))
	}
	return lines.String()
}
