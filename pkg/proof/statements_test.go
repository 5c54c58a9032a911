package proof_test

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/chain"
)

// creators are the lines of who has the creator's share.
func (c script) creators(runID string) []proof.CreatorShare {
	var share uint64
	if c.proceeds > 0 {
		share = allocation.Creator(c.proceeds, c.burnBps, 1000)
	}
	line := func(to solana.PublicKey, bps int, amount uint64) proof.CreatorShare {
		one := proof.CreatorShare{Wallet: proof.Key(to), PartBps: bps, Share: proof.Amount(amount), Paid: proof.Amount(amount), Received: proof.Amount(amount)}
		if c.unpaid && amount > 0 {
			one.Paid, one.Received, one.Carried, one.Reason = 0, 0, one.Share, allocation.BelowCost
		} else if amount > 0 {
			one.Signature = proof.Signature(signature(runID, "creator"))
		}
		return one
	}
	if c.partner.IsZero() {
		return []proof.CreatorShare{line(developer, 10_000, share)}
	}
	part := allocation.Part(share, 3333)
	return []proof.CreatorShare{line(developer, 6667, share-part), line(c.partner, 3333, part)}
}

// statements balances the books of a run: fees, rent and deposits are what the chain says.
func statements(t testing.TB, m proof.Manifest, opening map[string]uint64, made run) (list []proof.Statement) {
	t.Helper()
	var after uint64
	if made.before != nil {
		after = made.before.closed.Manifest.Cut
	}
	fees, accounts, deposits := uint64(0), uint64(0), map[string]uint64{}
	for _, x := range onChain(t, made).landed {
		if x.Slot <= after || x.Slot > m.Cut {
			continue
		}
		if x.Payer() == wallet {
			fees += x.FeeLamports
		}
		if x.SignedBy(wallet) {
			for _, a := range x.Tokens {
				if c, _ := x.Lamports(a.Address); a.OwnerBefore.IsZero() {
					accounts += c.Gain()
				}
			}
			continue
		}
		sol, _ := x.Lamports(wallet)
		deposits["SOL"] += sol.Gain()
		for _, a := range x.Tokens {
			if a.OwnerAfter == wallet {
				deposits[a.Mint.String()] += chain.Change{Before: a.Before, After: a.After}.Gain()
			}
		}
	}
	assets := []string{m.Mint.String(), "SOL"}
	for _, l := range m.Legs {
		if !slices.Contains(assets, l.Asset) {
			assets = append(assets, l.Asset)
		}
	}
	for _, a := range assets {
		in, out, held := map[proof.Name]uint64{}, map[proof.Name]uint64{}, map[proof.Name]uint64{}
		in[proof.Deposits] = deposits[a]
		if a == m.Mint.String() {
			if m.Kind == proof.Distribution {
				in[proof.Collected] = 500_000
			}
			out[proof.Burned], out[proof.Sold], out[proof.FuelSold] = uint64(m.Split.Burned), uint64(m.Exchange.Sold), uint64(m.Exchange.FuelSold)
			held[proof.Carried] = uint64(m.Split.UnsoldAfter)
		}
		if a == "SOL" {
			in[proof.FuelCame], in[proof.ReceiptsReturned] = uint64(m.Exchange.Fuel), uint64(m.Receipts.Returned)
			out[proof.ReceiptsLent] = uint64(m.Receipts.Lent)
			out[proof.Fees] = fees
			out[proof.Rent] = accounts
		}
		if a == m.Settings.RewardToken && a != m.Mint.String() {
			in[proof.Proceeds] = uint64(m.Exchange.Proceeds)
		}
		for _, l := range m.Legs {
			if l.Asset != a {
				continue
			}
			out[proof.ToHolders] = uint64(l.Sums.Received)
			for _, c := range l.Creators {
				out[proof.ToCreator] += uint64(c.Received)
			}
			out[proof.TaxOnSending] = uint64(l.Sums.Paid - l.Sums.Received)
			held[proof.Owed], held[proof.Reserved] = uint64(l.Sums.Carried-l.Sums.Reserved), uint64(l.Sums.Reserved)
			for _, c := range l.Creators {
				held[proof.Owed] += uint64(c.Carried)
			}
			held[proof.Carried] += uint64(l.RemainderOut)
		}
		closing := opening[a]
		for _, v := range in {
			closing += v
		}
		for _, v := range out {
			closing -= v
		}
		held[proof.Float] = closing
		for _, name := range []proof.Name{proof.Owed, proof.Reserved, proof.Carried} {
			held[proof.Float] -= held[name]
		}
		list = append(list, proof.Statement{
			Asset: a, Opening: proof.Amount(opening[a]), In: proof.Entries(in), Out: proof.Entries(out),
			Closing: proof.Amount(closing), HeldFor: proof.Entries(held),
		})
	}
	return list
}
