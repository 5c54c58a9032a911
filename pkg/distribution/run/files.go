package run

import (
	"fmt"
)

// The files of a run in the ledger's bucket.
func collectFile(r Run) string { return fmt.Sprintf("collect/%s/%s.accounts", r.Mint, r.ID) }

func snapshotFile(r Run) string { return fmt.Sprintf("snapshots/%s/%s.holders", r.Mint, r.ID) }

// planFile returns the name of a plan's file. The name has all inputs of the plan, so that a second
// plan at another price does not read the first plan's file.
func planFile(r Run, leg int, share, worth, room uint64) string {
	within := ""
	if room != never {
		within = fmt.Sprintf("-%d", room)
	}
	return fmt.Sprintf("plans/%s/%s-%d-%d-%d%s.plan", r.Mint, r.ID, leg, share, worth, within)
}
