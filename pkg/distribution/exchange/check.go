package exchange

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Policy is the permitted content of a swap's message. NewPolicy fills in the swap's own values.
type Policy struct {
	Quote     Quote
	Programs  []solana.PublicKey // of the venue
	CoSigners []solana.PublicKey
	// Receipt is the account that the message's first instruction creates.
	Receipt solana.PublicKey
	// Guarded are accounts that the swap must not name at all.
	Guarded []solana.PublicKey
}

// NewPolicy returns the policy for a swap that creates a receipt.
func NewPolicy(s Swap, receipt solana.PublicKey, guarded ...solana.PublicKey) Policy {
	return Policy{Quote: s.Quote, Programs: s.Programs, CoSigners: s.CoSigners, Receipt: receipt, Guarded: guarded}
}

// Check checks a venue's message before the wallet signs. It returns a *Deferred unless the message
// has all these properties:
//
//   - The wallet pays the fee, and only the wallet and the co-signers sign.
//   - The first instruction creates the receipt, and no later instruction names the receipt.
//   - The called programs are the venue's programs, the token programs, the associated token account
//     program and the compute budget. The System program is called only for transfers that other
//     accounts pay.
//   - With the wallet's authority, tokens of the input go only to accounts of the co-signers, at most
//     the quoted amount. With the wallet's authority, the token programs only transfer these tokens,
//     and close the wallet's account of wrapped SOL to the wallet.
//   - The wallet pays only for its own accounts.
//   - No guarded account is named.
//   - If co-signers sign and no program of the venue is called, the instructions show the whole
//     effect, and the wallet gets at least the quote's minimum.
//
// Check cannot see the effect of a venue's program. CheckBalances checks the effect in a
// simulation.
func Check(m wire.Message, p Policy) error {
	r, err := p.reader()
	if err != nil {
		return err
	}
	if m.FeePayer() != r.wallet {
		return unsafe("another signer than the wallet pays the fee")
	}
	for _, signer := range m.Signers() {
		if signer != r.wallet && !slices.Contains(p.CoSigners, signer) {
			return unsafe("%s is asked to sign", signer)
		}
	}
	instructions := m.Instructions()
	if len(instructions) == 0 || !r.creates(instructions[0]) {
		return unsafe("its first instruction does not create the receipt")
	}
	called := false
	for n, in := range instructions[1:] {
		i := n + 1
		for _, account := range in.Accounts {
			if account.PublicKey == p.Receipt || slices.Contains(p.Guarded, account.PublicKey) {
				return unsafe("instruction %d names %s, which is none of its business", i, account.PublicKey)
			}
		}
		if slices.Contains(p.Programs, in.ProgramID) {
			called = true
			continue
		}
		if err := r.read(in); err != nil {
			return unsafe("instruction %d: %v", i, err)
		}
	}
	if r.sent > p.Quote.In {
		return unsafe("%d of the input leave the wallet, %d were quoted", r.sent, p.Quote.In)
	}
	if !called && len(p.CoSigners) > 0 && r.received < p.Quote.MinimumOut {
		return unsafe("%d arrive in the wallet, at least %d were quoted", r.received, p.Quote.MinimumOut)
	}
	return nil
}

func unsafe(format string, args ...any) error {
	return Defer(Unsafe, "The swap is not signed: %s.", fmt.Sprintf(format, args...))
}

// reader adds up the effects of a message's instructions.
type reader struct {
	Policy
	wallet solana.PublicKey
	// input and output are token accounts of the wallet, under either token program. theirs are the
	// accounts of the co-signers that may receive the input.
	input, output, theirs []solana.PublicKey
	wrapped               solana.PublicKey
	sent, received        uint64 // at most 2^64-1
}

func (p Policy) reader() (*reader, error) {
	o := p.Quote.Order
	r := &reader{Policy: p, wallet: o.Wallet}
	var err error
	if r.input, err = associated(o.Wallet, o.Input); err != nil {
		return nil, err
	}
	if !o.Output.IsSOL() {
		if r.output, err = associated(o.Wallet, o.Output.Mint()); err != nil {
			return nil, err
		}
	}
	for _, signer := range p.CoSigners {
		accounts, err := associated(signer, o.Input)
		if err != nil {
			return nil, err
		}
		r.theirs = append(r.theirs, accounts...)
	}
	r.wrapped, err = token2022.AssociatedAddress(o.Wallet, solana.WrappedSol, solana.TokenProgramID)
	return r, err
}

// associated returns the addresses of a wallet's token accounts for a mint, under the Token program
// and under Token-2022. Only one of the accounts can exist.
func associated(wallet, mint solana.PublicKey) ([]solana.PublicKey, error) {
	var list []solana.PublicKey
	for _, program := range []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID} {
		address, err := token2022.AssociatedAddress(wallet, mint, program)
		if err != nil {
			return nil, err
		}
		list = append(list, address)
	}
	return list, nil
}

// Tags of the decoded instructions (solana-system-interface, spl-token-2022-interface,
// spl-associated-token-account-interface).
const (
	systemTransfer = 2

	tokenTransfer        = 3
	tokenCloseAccount    = 9
	tokenTransferChecked = 12
	tokenSyncNative      = 17
	tokenFeeExtension    = 26
	feeTransferChecked   = 1

	associatedCreate           = 0
	associatedCreateIdempotent = 1
)

// creates reports whether an instruction creates the receipt. The engine adds the instruction, with
// the deposit.
func (r *reader) creates(in wire.Instruction) bool {
	c, err := systemprogram.DecodeCreateAccountWithSeed(in.Keys(), in.Data)
	return err == nil && in.ProgramID == solana.SystemProgramID && len(in.Accounts) == 2 &&
		c.Payer == r.wallet && c.Base == r.wallet && c.Account == r.Receipt && c.Space == 0 && c.Owner == solana.SystemProgramID
}

func (r *reader) read(in wire.Instruction) error {
	switch in.ProgramID {
	case solana.ComputeBudget:
		return nil
	case solana.SystemProgramID:
		return r.system(in)
	case solana.SPLAssociatedTokenAccountProgramID:
		return r.associated(in)
	case solana.TokenProgramID, solana.Token2022ProgramID:
		return r.token(in)
	}
	return fmt.Errorf("it calls %s, which is not on the venue's list", in.ProgramID)
}

func (r *reader) system(in wire.Instruction) error {
	if len(in.Data) != 12 || binary.LittleEndian.Uint32(in.Data) != systemTransfer || len(in.Accounts) != 2 {
		return fmt.Errorf("it asks the System program for more than a transfer")
	}
	if in.Accounts[0].PublicKey == r.wallet {
		return fmt.Errorf("it takes lamports out of the wallet")
	}
	if in.Accounts[1].PublicKey == r.wallet && r.Quote.Order.Output.IsSOL() {
		r.received = add(r.received, binary.LittleEndian.Uint64(in.Data[4:]))
	}
	return nil
}

// associated accepts accounts in the order [payer, account, owner, mint, ...].
func (r *reader) associated(in wire.Instruction) error {
	known := len(in.Data) == 0 || len(in.Data) == 1 && (in.Data[0] == associatedCreate || in.Data[0] == associatedCreateIdempotent)
	if !known || len(in.Accounts) < 4 {
		return fmt.Errorf("it asks for more than to create a token account")
	}
	if in.Accounts[0].PublicKey == r.wallet && in.Accounts[2].PublicKey != r.wallet {
		return fmt.Errorf("the wallet would pay for a token account of %s", in.Accounts[2].PublicKey)
	}
	return nil
}

func (r *reader) token(in wire.Instruction) error {
	if len(in.Data) == 0 {
		return fmt.Errorf("it has no data")
	}
	keys := make([]solana.PublicKey, len(in.Accounts))
	for i, account := range in.Accounts {
		keys[i] = account.PublicKey
	}
	switch data := in.Data; {
	case data[0] == tokenSyncNative && len(keys) == 1:
		return nil
	case data[0] == tokenCloseAccount && len(keys) == 3:
		if keys[2] != r.wallet || keys[0] == r.wrapped && keys[1] == r.wallet {
			return nil
		}
		return fmt.Errorf("it closes %s to %s", keys[0], keys[1])
	case data[0] == tokenTransfer && len(data) == 9 && len(keys) == 3:
		return r.transfer(keys[0], keys[1], keys[2], binary.LittleEndian.Uint64(data[1:]))
	case data[0] == tokenTransferChecked && len(data) == 10 && len(keys) == 4:
		return r.transfer(keys[0], keys[2], keys[3], binary.LittleEndian.Uint64(data[1:]))
	case data[0] == tokenFeeExtension && len(data) == 19 && data[1] == feeTransferChecked && len(keys) == 4:
		return r.transfer(keys[0], keys[2], keys[3], binary.LittleEndian.Uint64(data[2:]))
	}
	return fmt.Errorf("it asks a token program for more than a transfer")
}

func (r *reader) transfer(source, destination, authority solana.PublicKey, amount uint64) error {
	if authority != r.wallet {
		if slices.Contains(r.output, destination) {
			r.received = add(r.received, amount)
		}
		return nil
	}
	if !slices.Contains(r.input, source) {
		return fmt.Errorf("it sends from %s, which is not the wallet's account of the input", source)
	}
	if !slices.Contains(r.theirs, destination) {
		return fmt.Errorf("it sends to %s, which is no account of a co-signer", destination)
	}
	r.sent = add(r.sent, amount)
	return nil
}

// add returns the sum, at most 2^64-1, which is more than any quote.
func add(a, b uint64) uint64 {
	if a+b < a {
		return ^uint64(0)
	}
	return a + b
}
