package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// A zero program has no associated accounts, so another verifier would look for another account.
func TestZeroLegProgramIsRejected(t *testing.T) {
	s, first, _ := twoRuns(t, 6)
	m, err := format.DecodeManifest(s.files[first.closed.CID+".json"])
	check(t, err)
	check(t, verify.CheckManifest(m))
	m.Legs[0].Program = format.Key{}.String()
	if err := verify.CheckManifest(m); err == nil || !strings.Contains(err.Error(), "has the token program") {
		t.Errorf("CheckManifest() = %v, want an error about the leg's program", err)
	}
}

// creators are the lines of who has the creator's share.
func (c script) creators(runID string) []format.CreatorShare {
	var share uint64
	if c.proceeds > 0 {
		share = allocation.Creator(c.proceeds, c.burnBps, 1000)
	}
	line := func(to solana.PublicKey, bps int, amount uint64) format.CreatorShare {
		one := format.CreatorShare{Wallet: format.Key(to), PartBps: bps, Share: format.Amount(amount), Paid: format.Amount(amount), Received: format.Amount(amount)}
		if c.unpaid && amount > 0 {
			one.Paid, one.Received, one.Carried, one.Reason = 0, 0, one.Share, allocation.BelowCost
		} else if amount > 0 {
			one.Signature = format.Signature(signature(runID, "creator"))
		}
		return one
	}
	if c.partner.IsZero() {
		return []format.CreatorShare{line(developer, 10_000, share)}
	}
	part := allocation.Part(share, 3333)
	return []format.CreatorShare{line(developer, 6667, share-part), line(c.partner, 3333, part)}
}

// statements balances the books of a run: fees, rent and deposits are those of the chain.
func statements(t testing.TB, m format.Manifest, opening map[string]uint64, made run) (list []format.Statement) {
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
		in, out, held := map[format.Name]uint64{}, map[format.Name]uint64{}, map[format.Name]uint64{}
		in[format.Deposits] = deposits[a]
		if a == m.Mint.String() {
			if m.Kind == format.Distribution {
				in[format.Collected] = 500_000
			}
			out[format.Burned], out[format.Sold], out[format.FuelSold] = uint64(m.Split.Burned), uint64(m.Exchange.Sold), uint64(m.Exchange.FuelSold)
			held[format.Carried] = uint64(m.Split.UnsoldAfter)
		}
		if a == "SOL" {
			in[format.FuelCame], in[format.ReceiptsReturned] = uint64(m.Exchange.Fuel), uint64(m.Receipts.Returned)
			out[format.ReceiptsLent] = uint64(m.Receipts.Lent)
			out[format.Fees] = fees
			out[format.Rent] = accounts
		}
		if a == m.Reward() && a != m.Mint.String() {
			in[format.Proceeds] = uint64(m.Exchange.Proceeds)
		}
		for _, l := range m.Legs {
			if l.Asset != a {
				continue
			}
			out[format.ToHolders] = uint64(l.Sums.Received)
			for _, c := range l.Creators {
				out[format.ToCreator] += uint64(c.Received)
			}
			out[format.TaxOnSending] = uint64(l.Sums.Paid - l.Sums.Received)
			held[format.Owed], held[format.Reserved] = uint64(l.Sums.Carried-l.Sums.Reserved), uint64(l.Sums.Reserved)
			for _, c := range l.Creators {
				held[format.Owed] += uint64(c.Carried)
			}
			held[format.Carried] += uint64(l.RemainderOut)
		}
		closing := opening[a]
		for _, v := range in {
			closing += v
		}
		for _, v := range out {
			closing -= v
		}
		held[format.Float] = closing
		for _, name := range []format.Name{format.Owed, format.Reserved, format.Carried} {
			held[format.Float] -= held[name]
		}
		list = append(list, format.Statement{
			Asset: a, Opening: format.Amount(opening[a]), In: format.Entries(in), Out: format.Entries(out),
			Closing: format.Amount(closing), HeldFor: format.Entries(held),
		})
	}
	return list
}
