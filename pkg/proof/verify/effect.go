package verify

import (
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

// custody is the wallet whose signature is checked, with the wallet's accounts.
type custody struct {
	wallet solana.PublicKey
	mint   solana.PublicKey
	// tokens is the wallet's account for the mint. wrapped is the wallet's account for wrapped SOL.
	tokens, wrapped solana.PublicKey
	// own is the tracked token accounts of the wallet.
	own []solana.PublicKey
	// payees reports whether the rows of a payment name an owner. inSOL reports that the payment is
	// in lamports.
	payees func(solana.PublicKey) bool
	inSOL  bool
	// newer reports whether the proof names a later trust list than the verifier's list.
	newer bool
}

// effect is the effects of a transaction with the wallet's signature.
type effect struct {
	receipts

	burned uint64
	// called reports whether an exchange's program was called. sent reports whether tokens went
	// directly to another owner's account.
	called, sent bool
	// unlisted is a program that sold tokens and can only be on a later trust list, or zero.
	unlisted solana.PublicKey
}

// effects reads every instruction of a transaction that the wallet signed. It returns an error if
// an instruction uses the wallet in a way that the purpose does not need, because a program that
// receives the wallet's signature can do anything.
func (c custody) effects(purpose format.Purpose, t chain.Transaction) (effect, error) {
	var e effect
	for i, in := range t.Instructions {
		if err := c.effect(&e, purpose, t, in); err != nil {
			return effect{}, fmt.Errorf("instruction %d: %w", i, err)
		}
	}
	if purpose.HasReceipt() && e.made.IsZero() {
		return effect{}, errors.New("its first instruction makes no receipt")
	}
	return e, nil
}

func (c custody) effect(e *effect, purpose format.Purpose, t chain.Transaction, in chain.Instruction) error {
	named := slices.Contains(in.Accounts, c.wallet)
	switch in.Program {
	case solana.SystemProgramID:
		if err := e.read(c.wallet, purpose, in); err != nil || !named {
			return err
		}
		return c.lamports(e, purpose, t, in)
	case solana.ComputeBudget:
		return nil
	}
	if purpose.OnlyReceipts() {
		return fmt.Errorf("it is of the program %s, and a transaction of this purpose only moves receipts", in.Program)
	}
	note := in.Program == format.MemoProgram && !named && !in.Inner // for an account that requires a memo with a transfer
	if purpose.Pays() && !note && in.Program != solana.SPLAssociatedTokenAccountProgramID && !token2022.IsProgram(in.Program) {
		return fmt.Errorf("it is of the program %s, for which a payment has no need", in.Program)
	}
	if !named {
		return nil
	}
	switch {
	case in.Program == format.MemoProgram && purpose == format.Anchoring && !in.Inner:
		return nil
	case in.Program == solana.SPLAssociatedTokenAccountProgramID:
		return c.makesAccount(purpose, in)
	case token2022.IsProgram(in.Program):
		return c.moves(e, purpose, t, in)
	case (purpose == format.Exchange || purpose == format.Fuel) && c.exchanges(e, invoker(t, in)):
		// The programs that an exchange invokes, such as the pools of an aggregator, are the
		// exchange's affair. A transfer from the wallet's accounts is a separate instruction.
		e.called = true
		return nil
	}
	return fmt.Errorf("it hands the wallet's signature to the program %s", in.Program)
}

// exchanges reports whether a program may receive the wallet's signature to sell tokens. If the
// proof names a later trust list, an unknown program is accepted and noted. The other rules apply
// as if the program were on the list, so the later list relaxes no other rule.
func (c custody) exchanges(e *effect, program solana.PublicKey) bool {
	if c.newer && unlisted(program) {
		e.unlisted = program
		return true
	}
	return proof.Trusted(program)
}

// lamports checks an instruction of the System program that names the wallet and does not belong to
// a receipt.
func (c custody) lamports(e *effect, purpose format.Purpose, t chain.Transaction, in chain.Instruction) error {
	kind, err := systemprogram.KindOf(in.Data)
	if err != nil {
		return err
	}
	if slices.Contains([]systemprogram.Kind{systemprogram.KindCreateAccountWithSeed, systemprogram.KindTransferWithSeed}, kind) {
		return nil // belongs to a receipt, which read has checked
	}
	if kind == systemprogram.KindTransfer && in.Accounts[0] != c.wallet {
		return nil // incoming lamports
	}
	if in.Inner {
		by := invoker(t, in)
		if by == solana.SPLAssociatedTokenAccountProgramID || (purpose == format.Exchange || purpose == format.Fuel) && c.exchanges(e, by) {
			return nil
		}
		return fmt.Errorf("the program %s takes lamports of the wallet", by)
	}
	if kind == systemprogram.KindTransfer && purpose.Pays() && c.inSOL && len(in.Accounts) > 1 && c.payees(in.Accounts[1]) {
		return nil
	}
	return errors.New("it takes lamports of the wallet, for which a transaction of this purpose has no need")
}

// invoker returns the program of the message's instruction that is in, or that invoked in.
func invoker(t chain.Transaction, in chain.Instruction) solana.PublicKey {
	if !in.Inner {
		return in.Program
	}
	i := slices.IndexFunc(t.Instructions, func(o chain.Instruction) bool { return o.Top == in.Top && !o.Inner })
	if i < 0 {
		return solana.PublicKey{}
	}
	return t.Instructions[i].Program
}

// makesAccount checks an instruction of the Associated Token Account program: Create, without data
// or 0, and CreateIdempotent, 1, with payer, account, owner.
func (c custody) makesAccount(purpose format.Purpose, in chain.Instruction) error {
	switch {
	case len(in.Accounts) < 4 || len(in.Data) > 1 || len(in.Data) == 1 && in.Data[0] > 1:
		return errors.New("it is of the Associated Token Account program, and makes no account")
	case in.Accounts[2] == c.wallet, in.Accounts[0] != c.wallet:
		return nil
	case purpose.Pays() && c.payees(in.Accounts[2]):
		return nil
	}
	return fmt.Errorf("it makes an account for %s at the wallet's cost", in.Accounts[2])
}

// moves checks an instruction of a token program that names the wallet.
func (c custody) moves(e *effect, purpose format.Purpose, t chain.Transaction, in chain.Instruction) error {
	kind, err := token2022.InstructionKindOf(in.Data)
	if err != nil {
		return err
	}
	selling := purpose == format.Exchange || purpose == format.Fuel
	if slices.Contains([]token2022.InstructionKind{token2022.KindInitAccount, token2022.KindInitAccount2, token2022.KindInitAccount3}, kind) {
		return nil
	}
	if kind == token2022.KindCloseAccount {
		if selling && len(in.Accounts) > 2 && in.Accounts[0] == c.wrapped && in.Accounts[1] == c.wallet {
			return nil
		}
		return fmt.Errorf("it closes the account %s", in.Accounts[0])
	}
	if kind == token2022.KindSetAuthority && purpose == format.Handover {
		if _, ok := handsOver(in, c.mint, c.wallet); ok && !in.Inner {
			return nil
		}
		return errors.New("it hands over another authority than that over the tax")
	}
	m, ok, err := token2022.ReadMovement(in.Accounts, in.Data)
	if err != nil {
		return err
	}
	switch {
	case !ok:
		return fmt.Errorf("it is of the token programs' kind %d.%d, for which nothing here has a need", kind>>8, kind&0xff)
	case kind.Withdraws() && signs(in, c.wallet):
		if purpose != format.Collect || m.Mint != c.mint || m.To != c.tokens {
			return fmt.Errorf("it withdraws tax of %s to %s", m.Mint, m.To)
		}
	case m.Authority != c.wallet && !purpose.Pays():
		return nil // another signature than the wallet's moves the tokens
	case kind.Burns():
		if purpose != format.Burn || m.Mint != c.mint || m.From != c.tokens {
			return fmt.Errorf("it burns %d of %s", m.Amount, m.From)
		}
		e.burned += m.Amount
	case selling:
		if m.From != c.tokens && m.From != c.wrapped {
			return fmt.Errorf("it sends %d of %s", m.Amount, m.From)
		}
		e.sent = e.sent || !in.Inner
	case !purpose.Pays() || !slices.Contains(c.own, m.From) || !c.payees(t.TokenOwner(m.To)):
		return fmt.Errorf("it sends %d of %s to %s", m.Amount, m.From, m.To)
	}
	return nil
}

// signs reports whether a withdrawal names the wallet as the authority, or as a member that signs
// for the authority. Members come after the authority.
func signs(in chain.Instruction, wallet solana.PublicKey) bool {
	const authority = 2
	return len(in.Accounts) > authority && slices.Contains(in.Accounts[authority:], wallet)
}

// unlisted reports whether a program can only be on a later trust list. Such a program is neither
// on the verifier's list nor a program of the network or of tokens, because trust lists never
// contain these programs.
func unlisted(program solana.PublicKey) bool {
	fixed := []solana.PublicKey{solana.SystemProgramID, solana.ComputeBudget, solana.SPLAssociatedTokenAccountProgramID, format.MemoProgram}
	return !proof.Trusted(program) && !slices.Contains(fixed, program) && !token2022.IsProgram(program)
}
