package payout_test

import (
	"encoding/binary"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// tally counts the payments of a leg that landed, and those that were split.
func tally(t *testing.T, w *payouttest.Fixture, leg int) (landed, split int) {
	t.Helper()
	for _, p := range w.Payments(t, payout.Pay, leg) {
		if p.Status() == payout.Landed {
			landed++
		} else if p.Status() == payout.Split {
			split++
		}
	}
	return landed, split
}

// The network refuses lamports for an address that it reserves, even if the address is a
// point of the curve and has no account. Only the first run splits the batch for it.
func TestReservedAddressSplitsOnce(t *testing.T) {
	for _, address := range []string{
		"Sysvar1111111111111111111111111111111111111", "NativeLoader1111111111111111111111111111111",
	} {
		t.Run(address, func(t *testing.T) {
			w := payouttest.NewEnv(t).Fixture(t, 10*sol)
			list := holders(payout.SOLBatch, 1_000_000)
			const bad = 9
			list[bad].Owner = solana.MustPublicKeyFromBase58(address)
			for leg, want := range []payout.Reason{"refused", "held", "held"} {
				p := payouttest.SOL(payout.SOLBatch)
				p.Leg = leg
				w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
				skips, paid, _ := reasons(t, w, leg)
				if s := skips[bad]; s.Reason != want || s.Hold == [8]byte{} || len(paid) != len(list)-1 {
					t.Errorf("leg %d: skip %+v, %d paid; want %q and a hold", leg, s, len(paid), want)
				}
				if landed, split := tally(t, w, leg); leg > 0 && (landed != 1 || split > 0) {
					t.Errorf("leg %d: %d payments landed, %d were split; want 1 and none", leg, landed, split)
				}
				list[bad].Hold = skips[bad].Hold
			}
		})
	}
}

// An address whose missing account is held is tried again once it has an account.
func TestHeldMissingAccountTriedAgain(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	list := []payout.Entry{{Owner: solana.NewWallet().PublicKey(), Amount: 1_000_000}}
	list[0].Hold = [8]byte{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14} // SHA-256 of nothing
	for leg, want := range []payout.Reason{"held", ""} {
		p := payouttest.SOL(payout.SOLBatch)
		p.Leg = leg
		w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
		skips, paid, _ := reasons(t, w, leg)
		if skips[0].Reason != want || paid[0] != (want == "") {
			t.Errorf("leg %d: skip %+v, paid %v; want %q", leg, skips[0], paid[0], want)
		}
		w.Give(t, list[0].Owner, 1_000_000)
	}
}

// extend appends an extension to a holder's token account.
func extend(t *testing.T, w *payouttest.Fixture, c payouttest.Currency, owner solana.PublicKey, kind token2022.ExtensionType, value []byte) {
	t.Helper()
	address := c.Account(t, owner)
	found, err := w.Chain.Holders(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	data := binary.LittleEndian.AppendUint16(found[0].Data[:len(found[0].Data):len(found[0].Data)], uint16(kind))
	data = binary.LittleEndian.AppendUint16(data, uint16(len(value)))
	w.Ledger.SetAccount(t, address.String(), surfpool.Account{
		Lamports: 10_000_000, Owner: surfpool.Token2022Program, Data: append(data, value...),
	})
}

// A holder switches ordinary credits off and changes another byte of the account before each
// run. No run splits the batch, and the hold stays the same until the switch is on again.
func TestConfidentialOnlyAccountSplitsNothing(t *testing.T) {
	w, c := taxed(t, 1_000_000_000)
	list := holders(payout.TokenBatch, 1_000_000)
	w.Open(t, c, owners(list)...)
	const bad, key, allow, length = 6, 1, 262, 295 // token-2022, ConfidentialTransferAccount
	found, err := w.Chain.Holders(t.Context(), c.Account(t, list[bad].Owner))
	if err != nil {
		t.Fatal(err)
	}
	first := [8]byte{}
	for leg, on := range []byte{0, 0, 1} {
		w.Ledger.SetAccount(t, c.Account(t, list[bad].Owner).String(), surfpool.Account{Lamports: 10_000_000, Owner: surfpool.Token2022Program, Data: found[0].Data})
		value := make([]byte, length)
		value[key], value[allow] = byte(leg), on
		extend(t, w, c, list[bad].Owner, token2022.ExtensionConfidentialTransferAccount, value)
		p := c.Phase(payout.TokenBatch)
		p.Leg = leg
		w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
		skips, paid, _ := reasons(t, w, leg)
		want := payout.Reason("confidential_only")
		if on == 1 {
			want = ""
		}
		s := skips[bad]
		if s.Reason != want || paid[bad] != (on == 1) || (s.Hold != [8]byte{}) != (on == 0) {
			t.Errorf("leg %d: skip %+v, paid %v; want %q", leg, s, paid[bad], want)
		}
		if leg == 0 {
			first = s.Hold
		} else if on == 0 && s.Hold != first {
			t.Errorf("leg %d: hold %x, before %x: another byte of the account counts", leg, s.Hold, first)
		}
		if landed, split := tally(t, w, leg); landed != 1 || split > 0 {
			t.Errorf("leg %d: %d payments landed, %d were split; want 1 and none", leg, landed, split)
		}
		list[bad].Hold = s.Hold
	}
}

// Holders whose accounts require a memo are paid with one, in both encodings. A batch that
// has no room for the memos is split until it has.
func TestMemoRequiredAccountsPaid(t *testing.T) {
	w, c := taxed(t, 2_000_000_000)
	for leg, test := range []struct {
		version     payout.Version
		size, memos int
		landed      int
	}{
		{payout.Legacy, 10, 3, 1},
		{payout.Legacy, payout.TokenBatch, payout.TokenBatch, 3},
		{payout.V1, payout.TokenBatchV1, 6, 1},
		{payout.V1, payout.TokenBatchV1, payout.TokenBatchV1, 2},
	} {
		list := holders(test.size, 1_000_000)
		w.Open(t, c, owners(list)...)
		for _, p := range list[:test.memos] {
			extend(t, w, c, p.Owner, token2022.ExtensionMemoTransfer, []byte{1})
		}
		p := c.Phase(uint32(test.size))
		p.Leg, p.Version = leg, test.version
		w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
		skips, paid, _ := reasons(t, w, leg)
		if len(skips) > 0 || len(paid) != len(list) {
			t.Errorf("leg %d: %d of %d paid, skips %+v", leg, len(paid), len(list), skips)
		}
		if landed, _ := tally(t, w, leg); landed != test.landed {
			t.Errorf("leg %d: %d transactions, want %d", leg, landed, test.landed)
		}
		memos := 0
		for _, p := range w.Payments(t, payout.Pay, leg) {
			if p.Status() == payout.Landed {
				memos += len(p.Memos)
			}
		}
		if memos != test.memos {
			t.Errorf("leg %d: %d memos, want %d", leg, memos, test.memos)
		}
		for n, h := range list {
			if got := w.Holding(t, c, h.Owner); got.Amount+got.Withheld != h.Amount {
				t.Errorf("leg %d: holder %d got %d, want %d", leg, n, got.Amount+got.Withheld, h.Amount)
			}
		}
	}
}
