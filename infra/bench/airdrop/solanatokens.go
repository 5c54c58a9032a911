package airdrop

import (
	"context"
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// solana-tokens' parameters (github.com/anza-xyz/agave, tokens/src/commands.rs).
const (
	tokensStatuses = 256 - 1                // chunks of update_finalized_transactions
	tokensPause    = 500 * time.Millisecond // sleep of finalize_transactions
)

// solanaTokens simulates the command distribute-tokens of solana-tokens: one recipient in a
// transaction, a finalized blockhash for each transaction, one call after the other
// (send_messages), and then polling until each transaction is final or expired
// (finalize_transactions). The command ends at the first failed call, and never pays for an expired
// transaction again. In the simulation, a failed call is repeated, and an operator removes expired
// transactions from the database and runs the command again, without delay.
type solanaTokens struct {
	node *Node
	key  ed25519.PrivateKey
}

// tokensRow is a row of the command's database.
type tokensRow struct {
	to        payout.Entry
	signature solana.Signature
	last      uint64 // last_valid_block_height
}

// solanaTokensPays pays like solana-tokens.
func solanaTokensPays(_ context.Context, count int, on Conditions) (f Figures, err error) {
	node := NewNode(on)
	people := crowd(node, count)
	s := solanaTokens{node, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	node.give(solana.PublicKey(s.key[ed25519.SeedSize:]), wealth)
	began, left := time.Now(), people
	for {
		rows, err := s.send(left)
		if err != nil {
			return f, err
		}
		if left = s.finalize(rows); len(left) == 0 {
			break
		}
		f.Resent += len(left)
	}
	f.Calls = node.calls
	f.paid(node, people, began)
	return f, nil
}

func (s solanaTokens) send(people []payout.Entry) (rows []tokensRow, err error) {
	from := solana.PublicKey(s.key[ed25519.SeedSize:])
	for _, to := range people {
		r := tokensRow{to: to}
		var hash solana.Hash
		retry(func() (err error) {
			hash, r.last, err = latestBlockhash(s.node, s.node.Pace.Final)
			return err
		})
		transfer := systemprogram.Transfer{From: from, To: to.Owner, Lamports: to.Amount}.Instruction()
		var raw []byte
		if r.signature, raw, err = signed(s.key, hash, []solana.Instruction{transfer}); err != nil {
			return nil, err
		}
		retry(func() error { return s.node.call("sendTransaction", func() { s.node.take(raw) }) })
		rows = append(rows, r)
	}
	return rows, nil
}

// finalize waits until each transaction is final or expired, and returns the recipients of expired
// transactions.
func (s solanaTokens) finalize(rows []tokensRow) (expired []payout.Entry) {
	for {
		found := map[solana.Signature]bool{} // by signature: whether the transaction is final
		for part := range slices.Chunk(rows, tokensStatuses) {
			retry(func() error {
				return s.node.call("getSignatureStatuses", func() {
					for _, r := range part {
						if l, ok := s.node.landed[r.signature]; ok {
							found[r.signature] = s.node.slot >= l.slot+s.node.Pace.Final
						}
					}
				})
			})
		}
		height := uint64(0)
		retry(func() error {
			return s.node.call("getBlockHeight", func() { height = s.node.slot - s.node.Pace.Final })
		})
		rows = slices.DeleteFunc(rows, func(r tokensRow) bool {
			final, ok := found[r.signature]
			if !ok && height > r.last {
				expired = append(expired, r.to)
				return true
			}
			return final
		})
		if len(rows) == 0 {
			return expired
		}
		time.Sleep(tokensPause)
	}
}

// retry repeats a call until the call succeeds.
func retry(call func() error) {
	for call() != nil {
		continue
	}
}
