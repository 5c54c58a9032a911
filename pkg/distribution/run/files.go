package run

import (
	"fmt"
)

// Files of a run in the ledger's bucket.
func collectFile(r Run) string { return fmt.Sprintf("collect/%s/%s.accounts", r.Mint, r.ID) }

func snapshotFile(r Run) string { return fmt.Sprintf("snapshots/%s/%s.holders", r.Mint, r.ID) }

// planFile has in its name what else the plan depends on, so that planning again,
// at another price, does not read a file that was written for this one.
func planFile(r Run, leg int, share, worth, room uint64) string {
	within := ""
	if room != never {
		within = fmt.Sprintf("-%d", room)
	}
	return fmt.Sprintf("plans/%s/%s-%d-%d-%d%s.plan", r.Mint, r.ID, leg, share, worth, within)
}
