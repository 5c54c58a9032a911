// Package million measures what a distribution to very many holders takes before anything
// is paid and after: the snapshot, the plan, and the proof. Each part is the work of a
// process of its own, on one processor.
package million

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// runs is how often each part is done; once for the most holders.
	runs   = 3
	common = 1_000_000
	most   = 3_000_000
	peered = 100_000
	// mostVariable is the environment variable with another number in place of most.
	mostVariable = "MOST_HOLDERS"
)

// sizes are the numbers of holders that growth is measured with.
var sizes = []int{10_000, peered, common}

// parts of a distribution, in their order.
var parts = []string{"snapshot", "plan", "close"}

// mostHolders is the largest number that is measured. The files of ten million take 6 GB of
// the scratch folder.
func mostHolders() (int, error) {
	text, ok := os.LookupEnv(mostVariable)
	if !ok {
		return most, nil
	}
	n, err := strconv.Atoi(text)
	if err == nil && n <= common {
		err = fmt.Errorf("%d is not above %d", n, common)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", mostVariable, err)
	}
	return n, nil
}

// Tables measures, and gives the section of the document.
func Tables(ctx context.Context, folder project.Folder, scratch string) ([]document.Table, error) {
	nodeVersion, err := report.Node(ctx)
	if err != nil {
		return nil, err
	}
	machine, err := report.Machine(ctx, folder, nodeVersion)
	if err != nil {
		return nil, err
	}
	largest, err := mostHolders()
	if err != nil {
		return nil, err
	}
	b := bench{folder: folder, scratch: scratch, worker: filepath.Join(scratch, "worker")}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	all := map[int]measured{}
	var peer string
	for _, holders := range append(slices.Clone(sizes), largest) {
		times := runs
		if holders == largest {
			times = 1
		}
		if all[holders], err = b.measure(ctx, holders, times); err != nil {
			return nil, fmt.Errorf("%d holders: %w", holders, err)
		}
		if holders == peered {
			if peer, err = b.peer(ctx, holders); err != nil {
				return nil, fmt.Errorf("decode as the peer does: %w", err)
			}
		}
		if err := os.RemoveAll(b.folderOf(holders)); err != nil {
			return nil, err
		}
	}
	chart, err := growth.Section(folder.Path("."), charts(all)...)
	if err != nil {
		return nil, err
	}
	text := []string{machine, "", stages(all), chart, peer, profiles(all[common])}
	return []document.Table{{Name: "bench:million", Text: strings.TrimSpace(strings.Join(text, "\n"))}}, nil
}
