package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
)

// checkLater is the name of the check that later anchors do not contradict this proof.
const checkLater = "later anchors"

// checkLaterAnchors checks that every anchor of the wallet after this anchor continues the previous
// anchor: no two proofs have the same number or the same previous proof, and no number is missing.
func (v *verifier) checkLaterAnchors(ctx context.Context, node chain.Node) {
	n, err := v.continued(ctx, node)
	v.report.proven(checkLater, err, "%d came after this one, each of the next number and of the manifest before it", n)
}

// continued returns the number of anchors after this anchor.
func (v *verifier) continued(ctx context.Context, node chain.Node) (n int, err error) {
	a := v.report.Anchor
	anchor, err := landing(ctx, node, a.Signature, v.m.Cut, v.anchoredBy())
	if err != nil {
		return 0, err
	}
	span := chain.Span{Seen: a.Signature, After: anchor.Slot - min(anchor.Slot, 1), Most: MaxTransactions}
	list, err := chain.History(ctx, node, a.Wallet, span)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(list, func(l chain.Listed) bool { return l.Signature == a.Signature })
	if at < 0 {
		return 0, fmt.Errorf("%w: the node lists %s at another slot", chain.ErrHistoryIncomplete, a.Signature)
	}
	tells := strings.Contains(list[at].Memo, a.String())
	list = slices.DeleteFunc(list[at+1:], func(l chain.Listed) bool { return tells && !strings.Contains(l.Memo, format.MemoMark) })
	read, err := chain.Read(ctx, node, list)
	if err != nil {
		return 0, err
	}
	last := a.Memo
	for _, t := range read {
		memo, ok := memoOf(t, a.Wallet)
		switch {
		case !ok || memo == last: // an anchor that no node reported is sent again
			continue
		case memo.Number > last.Number+1:
			return n, fmt.Errorf("%s is of proof %d and comes after that of proof %d: one was dropped", t.Signature, memo.Number, last.Number)
		case memo.Number <= last.Number:
			return n, fmt.Errorf("%s is of proof %d and comes after that of proof %d: two stories were told", t.Signature, memo.Number, last.Number)
		case memo.Previous != last.Manifest:
			return n, fmt.Errorf("%s, of proof %d, continues the manifest %s, and proof %d has %s: two stories were told",
				t.Signature, memo.Number, memo.Previous, last.Number, last.Manifest)
		}
		last = memo
		n++
	}
	return n, nil
}
