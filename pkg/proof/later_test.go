package proof_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/format"
)

// Where a node lists memos, only transactions with one of a proof are read of all that the
// wallet did later: a proof stays cheap to verify for as long as the token lives.
func TestOnlyMemosOfProofsAreReadOfWhatCameLater(t *testing.T) {
	s := newShelf()
	first, _ := twoScripts()
	r := s.run(t, first, nil)
	next := format.Memo{RunID: r.closed.Manifest.RunID, Number: 2, Manifest: hash([]byte("next")), Previous: r.closed.Hash}
	r.acts = append(r.acts, fromStranger("looks later", 300, looks(wallet)), act(format.Anchoring, signature("next"), 301, step{in: memoOf(next.String())}))
	node := onChain(t, r)
	node.forgotten = map[solana.Signature]bool{signature("looks later"): true}
	node.memos = true
	if report, failed := asked(t, s.folder(), r.anchor, node); len(failed) > 0 || !report.Complete() {
		t.Errorf("%q, complete: %v", failed, report.Complete())
	}
	node.memos = false
	if _, failed := asked(t, s.folder(), r.anchor, node); len(failed) == 0 {
		t.Error("a node that lists no memos has forgotten one of those that are read")
	}
}
