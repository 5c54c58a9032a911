package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// checkRotation is the name of the check that the wallets before moved all to the proof's wallet.
const checkRotation = "rotation"

// checkMoved checks the wallets before: since the previous proof, each signed nothing
// that pays another party, and then moved everything to the next wallet.
func (v *verifier) checkMoved(ctx context.Context, node chain.Node) {
	if len(v.m.WalletsBefore) == 0 {
		return
	}
	n, err := v.moved(ctx, node)
	v.report.proven(checkRotation, err, "the %d transactions of the wallets before moved what they had to %s, and nothing elsewhere", n, v.m.Wallet)
}

// moved walks the histories of the wallets before, and returns the number of signed transactions.
func (v *verifier) moved(ctx context.Context, node chain.Node) (n int, err error) {
	for i, before := range v.m.WalletsBefore {
		to := v.m.Wallet
		if i+1 < len(v.m.WalletsBefore) {
			to = v.m.WalletsBefore[i+1].Wallet
		}
		span := chain.Span{Newest: solana.Signature(before.Last), By: before.Slot, Most: MaxTransactions}
		if i == 0 && v.m.Previous != "" {
			if v.previous == nil || v.previousAnchor.IsZero() {
				return n, fmt.Errorf("%w: the proof before is not at hand", chain.ErrHistoryIncomplete)
			}
			span.After, span.Seen = v.previous.Cut, v.previousAnchor
		}
		list, err := chain.History(ctx, node, before.Wallet.PublicKey(), span)
		if err != nil {
			return n, err
		}
		transactions, err := chain.Read(ctx, node, list)
		if err != nil {
			return n, err
		}
		signed, err := v.empties(transactions, before.Wallet.PublicKey(), to.PublicKey(), i == 0)
		if err != nil {
			return n, err
		}
		n += signed
	}
	return n, nil
}

// empties checks the transactions of a wallet before, oldest first. first reports that the wallet is
// the wallet of the previous proof.
func (v *verifier) empties(transactions []chain.Transaction, wallet, to solana.PublicKey, first bool) (signed int, err error) {
	c := custody{wallet: wallet, mint: v.m.Mint.PublicKey(), newer: v.m.TrustList > proof.TrustListVersion, payees: func(solana.PublicKey) bool { return false }}
	if c.tokens, err = token2022.AssociatedAddress(wallet, c.mint, v.m.Program.PublicKey()); err != nil {
		return 0, err
	}
	if c.wrapped, err = token2022.AssociatedAddress(wallet, solana.WrappedSol, solana.TokenProgramID); err != nil {
		return 0, err
	}
	closed, anchored := map[solana.PublicKey]bool{}, false
	for _, t := range transactions {
		if !t.SignedBy(wallet) {
			continue
		}
		signed++
		if t.FeeLamports > MaxFeeLamports || t.Payer() != wallet {
			return signed, fmt.Errorf("%s: its fee is %d lamports of %s, at most %d of the wallet are one", t.Signature, t.FeeLamports, t.Payer(), MaxFeeLamports)
		}
		if t.Failed != "" {
			continue
		}
		if memo, ok := memoOf(t, wallet); ok {
			hash, err := v.m.PreviousHash()
			if err != nil || !first || v.m.Previous == "" || memo.Manifest != hash || memo.Number+1 != v.m.Number {
				return signed, fmt.Errorf("%s is the anchor of proof %d with the manifest %s, and not of the proof before", t.Signature, memo.Number, memo.Manifest)
			}
			anchored = true
		}
		if err := c.gives(t, to); err != nil {
			return signed, fmt.Errorf("%s: %w", t.Signature, err)
		}
		for _, a := range t.Tokens {
			if a.OwnerBefore == wallet && a.OwnerAfter.IsZero() {
				closed[a.Address] = true
			}
		}
	}
	if first && v.m.Previous != "" && !anchored {
		return signed, fmt.Errorf("the anchor before, %s, is in no history of the wallet", v.previousAnchor)
	}
	if len(transactions) > 0 {
		last := transactions[len(transactions)-1]
		if sol, named := last.Lamports(wallet); !named || sol.After > 0 || !last.SignedBy(wallet) {
			return signed, fmt.Errorf("%s leaves %d lamports in the wallet before", last.Signature, sol.After)
		}
	}
	return signed, v.left(first, closed)
}

// left returns an error if a token account of the previous proof's wallet had a balance and was not
// closed.
func (v *verifier) left(first bool, closed map[solana.PublicKey]bool) error {
	if !first || v.previous == nil {
		return nil
	}
	accounts, err := v.previous.Accounts()
	if err != nil {
		return err
	}
	var r rules
	for _, a := range accounts {
		s, _ := v.previous.Statement(a.Asset)
		r.hold(s.Closing == 0 || closed[a.Address], "the wallet before had %d %s, and kept the account %s", s.Closing, a.Asset, a.Address)
	}
	return r.err()
}

// harmless are the purposes whose transactions give no money away, whatever they are named.
var harmless = []format.Purpose{format.Anchoring, format.Return, format.Setup, format.Collect, format.Burn, format.Exchange}

// gives returns an error if a transaction moves anything of the wallet to anyone but the next wallet.
func (c custody) gives(t chain.Transaction, to solana.PublicKey) error {
	for _, purpose := range harmless {
		if e, err := c.effects(purpose, t); err == nil && !e.sent && e.unlisted.IsZero() && (purpose != format.Exchange || brings(t, c.wallet, e)) {
			return nil
		}
	}
	for i, in := range t.Instructions {
		if err := c.movesTo(t, in, to); err != nil {
			return fmt.Errorf("instruction %d: %w", i, err)
		}
	}
	return nil
}

// brings reports whether a sale brought the wallet something.
func brings(t chain.Transaction, wallet solana.PublicKey, e effect) bool {
	sol, named := t.Lamports(wallet)
	return named && e.called && (sol.After+t.FeeLamports+e.lent > sol.Before ||
		slices.ContainsFunc(t.Tokens, func(a chain.TokenAccount) bool { return a.OwnerAfter == wallet && a.After > a.Before }))
}

// movesTo checks an instruction of a rotation.
func (c custody) movesTo(t chain.Transaction, in chain.Instruction, to solana.PublicKey) error {
	if !slices.Contains(in.Accounts, c.wallet) || in.Program == solana.ComputeBudget {
		return nil
	}
	switch {
	case in.Program == solana.SystemProgramID:
		kind, err := systemprogram.KindOf(in.Data)
		switch {
		case err != nil:
			return err
		case in.Inner && invoker(t, in) == solana.SPLAssociatedTokenAccountProgramID,
			kind == systemprogram.KindTransfer && len(in.Accounts) > 1 && (in.Accounts[0] != c.wallet || in.Accounts[1] == to):
			return nil
		}
		return errors.New("it takes lamports of the wallet, and not to the next wallet")
	case in.Program == solana.SPLAssociatedTokenAccountProgramID:
		if len(in.Accounts) > 2 && in.Accounts[2] == to {
			return nil
		}
		return errors.New("it makes an account that is not the next wallet's")
	case !token2022.IsProgram(in.Program):
		return fmt.Errorf("it hands the wallet's signature to the program %s", in.Program)
	}
	kind, err := token2022.InstructionKindOf(in.Data)
	if err != nil {
		return err
	}
	if kind == token2022.KindSetAuthority {
		if next, ok := handsOver(in, c.mint, c.wallet); ok && next == to {
			return nil
		}
		return errors.New("it hands over an authority, and not that over the tax to the next wallet")
	}
	if kind == token2022.KindCloseAccount {
		if len(in.Accounts) > 1 && in.Accounts[1] == c.wallet {
			return nil
		}
		return fmt.Errorf("it closes the account %s for another than the wallet", in.Accounts[0])
	}
	m, ok, err := token2022.ReadMovement(in.Accounts, in.Data)
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("it is of the token programs' kind %d.%d, for which nothing here has a need", kind>>8, kind&0xff)
	case kind.Burns() || t.TokenOwner(m.To) != to:
		return fmt.Errorf("it sends %d of %s to %s", m.Amount, m.From, m.To)
	}
	return nil
}

// movedOn returns a description of the rotation that moved the proof's wallet to another wallet since:
// the transaction's memo names the new authority.
func (v *verifier) movedOn(t chain.Transaction, to solana.PublicKey) (detail string, ok bool) {
	for _, in := range t.Instructions {
		if in.Program == format.MemoProgram && !in.Inner && string(in.Data) == format.RotationMark+to.String() {
			return fmt.Sprintf("%s moved the token to the wallet %s, by the operator's order; only the proofs after this one show what follows", t.Signature, to), true
		}
	}
	return "", false
}

// checkWalletsBefore checks the manifest's wallets before against the previous manifest.
func checkWalletsBefore(m, previous format.Manifest, r *rules) {
	wallet := m.Wallet
	if len(m.WalletsBefore) > 0 {
		wallet = m.WalletsBefore[0].Wallet
	}
	r.hold(previous.Wallet == wallet && previous.Creator == m.Creator, "it is of the wallet %s, and of the creator %s", previous.Wallet, previous.Creator)
}

// opens returns the opening of a statement after the previous one: a wallet after a rotation begins
// empty.
func opens(m format.Manifest, then format.Statement) format.Amount {
	if len(m.WalletsBefore) > 0 {
		return 0
	}
	return then.Closing
}
