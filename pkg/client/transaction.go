package client

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// ErrNotAsAsked appears when a transaction is not what was asked for. It was not signed.
var ErrNotAsAsked = errors.New("the transaction is not what was asked for")

func notAsAsked(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrNotAsAsked, fmt.Sprintf(format, values...))
}

// CheckTransaction reads a transaction in base64 and checks what holds of all of them:
// it is a legacy transaction to the last byte, the wallet pays its fee, it is not signed
// by the wallet yet, and it has a sentence of explanation for each instruction. It does
// not check that the sentences are true: read a transaction of a market with your own
// wallet, too, before you sign it.
func CheckTransaction(transaction string, wallet solana.PublicKey, explanation []string) (wire.Transaction, error) {
	tx, err := wire.ParseBase64(transaction)
	if err != nil {
		return wire.Transaction{}, notAsAsked("%v", err)
	}
	m := tx.Message()
	if m.FeePayer() != wallet {
		return wire.Transaction{}, notAsAsked("its fee is paid by %s, not by %s", m.FeePayer(), wallet)
	}
	if _, signed := tx.Signature(wallet); signed {
		return wire.Transaction{}, notAsAsked("it has a signature in your wallet's place")
	}
	if n := len(m.Instructions()); n != len(explanation) {
		return wire.Transaction{}, notAsAsked("it has %d instructions and %d explanations", n, len(explanation))
	}
	return tx, nil
}

// SignTransaction signs a transaction in base64 that CheckTransaction has nothing
// against, and changes nothing but the wallet's signature.
func (c *Client) SignTransaction(ctx context.Context, transaction string, explanation []string) (string, error) {
	if c.signer == nil {
		return "", ErrNoSigner
	}
	tx, err := CheckTransaction(transaction, c.signer.PublicKey(), explanation)
	if err != nil {
		return "", err
	}
	return c.sign(ctx, tx)
}

// SignLaunch signs the transaction of a launch that CheckLaunch has nothing against.
func (c *Client) SignLaunch(ctx context.Context, asked TokenCreation, wallet DistributionWallet, given UnsignedToken) (string, error) {
	if c.signer == nil {
		return "", ErrNoSigner
	}
	tx, err := CheckLaunch(c.signer.PublicKey(), asked, wallet, given)
	if err != nil {
		return "", err
	}
	return c.sign(ctx, tx)
}

// CheckRefresh checks that a fresh transaction is one that the wallet has signed before, on
// another blockhash and on nothing else: so it creates the same token for the same cost, and
// only one of the two can land.
func CheckRefresh(wallet solana.PublicKey, signed string, fresh Refresh) (wire.Transaction, error) {
	before, err := wire.ParseBase64(signed)
	if err != nil {
		return wire.Transaction{}, notAsAsked("what was signed before: %v", err)
	}
	if err := before.VerifySignature(wallet); err != nil {
		return wire.Transaction{}, notAsAsked("what was signed before: %v", err)
	}
	tx, err := wire.ParseBase64(fresh.Transaction)
	if err != nil {
		return wire.Transaction{}, notAsAsked("%v", err)
	}
	same, err := before.Message().OnRecent(tx.Message().Recent())
	if err != nil || !same.Equal(tx.Message()) {
		return wire.Transaction{}, notAsAsked("it is another transaction than the one that was signed before")
	}
	if first := same.Instructions()[0]; systemprogram.IsAdvanceNonce(first.ProgramID, first.Data) {
		return wire.Transaction{}, notAsAsked("it stands on a one-time number, and so never needs another")
	}
	return tx, nil
}

func (c *Client) sign(ctx context.Context, tx wire.Transaction) (string, error) {
	signature, err := c.signer.SignTransaction(ctx, tx.Message().Bytes())
	if err != nil {
		return "", fmt.Errorf("sign the transaction: %w", err)
	}
	signed := tx.Clone()
	if err := signed.SetSignature(c.signer.PublicKey(), signature); err != nil {
		return "", err
	}
	return signed.Base64(), nil
}

// lamportsPerSignature is the network's base fee.
const lamportsPerSignature = 5000

// CheckLaunch checks the transaction of a launch against what was asked for. It composes
// the instructions a second time, of the creation, the distribution wallet and the mint
// alone, and they must be those of the transaction to the byte: a mint of this name,
// supply, tax and metadata, the whole supply to the wallet, no authority left that was
// not asked for, and no lamport more than Cost says. What is before them uses up a nonce
// that is not the wallet's, or asks for another signature, and sets a network fee that is
// that of Cost.
func CheckLaunch(wallet solana.PublicKey, asked TokenCreation, to DistributionWallet, given UnsignedToken) (wire.Transaction, error) {
	tx, err := CheckTransaction(given.Transaction, wallet, given.Explanation)
	if err != nil {
		return wire.Transaction{}, err
	}
	c := given.Cost
	if c.TotalLamports != c.NetworkFeeLamports+c.RentLamports+c.DistributionWalletFundingLamports ||
		c.TotalLamports < max(c.NetworkFeeLamports, c.RentLamports, c.DistributionWalletFundingLamports) {
		return wire.Transaction{}, notAsAsked("its cost does not add up")
	}
	list := tx.Message().Instructions()
	rest, err := checkBudget(wallet, tx.Message(), list, c.NetworkFeeLamports)
	if err != nil {
		return wire.Transaction{}, err
	}
	rent, err := createdFor(rest)
	if err != nil {
		return wire.Transaction{}, err
	}
	if rent > uint64(c.RentLamports) {
		return wire.Transaction{}, notAsAsked("the mint takes %d lamports of rent, more than its cost says", rent)
	}
	steps, err := creation.Creation{
		Payer: wallet, Mint: given.MintKeypair.PublicKey, DistributionWallet: to.Address,
		Name: asked.Name, Symbol: asked.Symbol, URI: given.MetadataURI,
		Decimals: uint8(asked.Decimals), Supply: uint64(asked.Supply), TransferFeeBps: uint16(asked.TransferFeePercent), // #nosec G115 -- small, or the comparison fails
		FeeAdjustable: asked.TransferFeeAdjustable, ImmutableMetadata: asked.ImmutableMetadata,
		MintRentLamports: rent, FundingLamports: uint64(c.DistributionWalletFundingLamports),
	}.Steps()
	if err != nil {
		return wire.Transaction{}, notAsAsked("%v", err)
	}
	if len(steps) != len(rest) {
		return wire.Transaction{}, notAsAsked("it has %d instructions for the token, and %d are needed", len(rest), len(steps))
	}
	for i, s := range steps {
		if !same(rest[i], s.Instruction) {
			return wire.Transaction{}, notAsAsked("one instruction is another than this: %s", s.Explanation)
		}
	}
	return tx, nil
}

// checkBudget checks the instructions that come first, and gives those after them.
func checkBudget(wallet solana.PublicKey, m wire.Message, list []wire.Instruction, fee Lamports) ([]wire.Instruction, error) {
	const before = 3
	if len(list) < before {
		return nil, notAsAsked("it has %d instructions", len(list))
	}
	first, limit, price := list[0], list[1], list[2]
	_, isSigned := memo.IsSigned(first.ProgramID, first.Accounts, first.Data)
	theirs := !slices.ContainsFunc(first.Accounts, func(a solana.AccountMeta) bool { return a.PublicKey == wallet })
	if !isSigned && !systemprogram.IsAdvanceNonce(first.ProgramID, first.Data) || !theirs {
		return nil, notAsAsked("it does not begin with a one-time number of the service, or its key")
	}
	if len(limit.Data) != 5 || len(price.Data) != 9 {
		return nil, notAsAsked("its fee cannot be read")
	}
	units, each := binary.LittleEndian.Uint32(limit.Data[1:]), binary.LittleEndian.Uint64(price.Data[1:])
	if !same(limit, computebudget.SetUnitLimit(units)) || !same(price, computebudget.SetUnitPrice(each)) {
		return nil, notAsAsked("its fee cannot be read")
	}
	base := uint64(len(m.Signers())) * lamportsPerSignature // #nosec G115 -- a few
	if priority := computebudget.PriorityFee(units, each); uint64(fee) < base || uint64(fee)-base != priority {
		return nil, notAsAsked("it offers the network %d and %d lamports, and its cost says %d", base, priority, uint64(fee))
	}
	return list[before:], nil
}

// createdFor gives the lamports of the instruction that creates the mint's account.
func createdFor(list []wire.Instruction) (uint64, error) {
	const least = 4 + 8
	if len(list) == 0 || len(list[0].Data) < least {
		return 0, notAsAsked("it makes no mint")
	}
	return binary.LittleEndian.Uint64(list[0].Data[4:]), nil
}

// same says whether two instructions do the same: program, accounts and data.
func same(have wire.Instruction, want solana.Instruction) bool {
	data, err := want.Data()
	if err != nil || have.ProgramID != want.ProgramID() || string(have.Data) != string(data) {
		return false
	}
	return slices.EqualFunc(have.Accounts, want.Accounts(), func(h solana.AccountMeta, w *solana.AccountMeta) bool {
		return h.PublicKey == w.PublicKey
	})
}
