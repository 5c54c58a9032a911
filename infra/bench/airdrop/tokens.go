package airdrop

import (
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// Parameters of the command solana-tokens (github.com/anza-xyz/agave,
// tokens/src/commands.rs).
const (
	// tokensStatuses are the signatures of one call: MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS
	// less one, in update_finalized_transactions.
	tokensStatuses = 255
	// tokensPause lies between two rounds of those (sleep in finalize_transactions).
	tokensPause = 500 * time.Millisecond
)

// allocation is one of its recipients.
type allocation struct {
	payment   payout.Payment
	signature *solana.Signature
	last      uint64
	finalized bool
}

// Tokens pays as it does: a transaction for each recipient (send_messages), each with a
// blockhash of its own, without a preflight; then it looks until each is final, or its
// blockhash over (finalize_transactions), and is started again for those that are left.
// It ends at a call that fails; here that is made again, as if a person stood by.
func Tokens(count int, on Conditions) (f Figures, err error) {
	node := NewNode(on)
	people := crowd(node, count)
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	wallet := solana.PublicKey(key[ed25519.SeedSize:])
	node.give(wallet, wealth)
	left := make([]*allocation, count)
	for i, p := range people {
		left[i] = &allocation{payment: p}
	}
	began := time.Now()
	for first := true; len(left) > 0; first = false {
		if !first {
			f.Resent += len(left)
		}
		for _, a := range left {
			if err := a.send(node, key, wallet); err != nil {
				return f, err
			}
		}
		finalize(node, left)
		left = slices.DeleteFunc(left, func(a *allocation) bool { return a.finalized })
	}
	f.Took, f.Calls, f.Methods = time.Since(began), node.calls(), node.Calls
	f.sums(node, nil, began)
	f.check(node, people)
	return f, nil
}

func (a *allocation) send(node *Node, key ed25519.PrivateKey, wallet solana.PublicKey) error {
	hash, last, err := latestBlockhash(node, finalSlots)
	for err != nil {
		hash, last, err = latestBlockhash(node, finalSlots)
	}
	id, raw, err := signed(key, hash, []solana.Instruction{
		systemprogram.Transfer{From: wallet, To: a.payment.Owner, Lamports: a.payment.Amount}.Instruction(),
	})
	if err != nil {
		return err
	}
	for node.call("sendTransaction", func() { node.take(raw) }) != nil {
	}
	a.signature, a.last = &id, last
	return nil
}

// finalize asks for all that is open, again and again.
func finalize(node *Node, left []*allocation) {
	for {
		var open []*allocation
		for _, a := range left {
			if a.signature != nil && !a.finalized {
				open = append(open, a)
			}
		}
		if len(open) == 0 {
			return
		}
		found := map[*allocation]bool{}
		for part := range slices.Chunk(open, tokensStatuses) {
			for node.call("getSignatureStatuses", func() {
				for _, a := range part {
					l, ok := node.landed[*a.signature]
					found[a] = ok
					a.finalized = ok && node.slot >= l.slot+finalSlots
				}
			}) != nil {
			}
		}
		height := uint64(0)
		for node.call("getBlockHeight", func() { height = node.slot - finalSlots }) != nil {
		}
		for _, a := range open {
			if !found[a] && a.last < height {
				a.signature = nil // forgotten, and paid by the next start
			}
		}
		time.Sleep(tokensPause)
	}
}
