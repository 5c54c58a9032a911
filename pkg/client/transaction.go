package client

import (
	"encoding/binary"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// CheckLaunch checks the transaction of a launch against the request. CheckLaunch composes the
// instructions a second time from the creation, the distribution wallet and the mint only, and
// compares the message to the byte. The transaction therefore creates a mint with this name,
// supply, tax and metadata, sends the whole supply to the wallet, leaves only the requested
// authorities, and spends only the lamports in Cost. The metadata is the file of
// TokenCreation.Metadata, named by the content ID. The instructions before the creation advance a
// nonce that the wallet does not own, or ask for another signature, and set a network fee that is
// equal to the fee in Cost, with a priority fee within MaxPriorityFee.
func CheckLaunch(wallet solana.PublicKey, asked TokenCreation, to DistributionWallet, given UnsignedToken) (wire.Transaction, error) {
	c := given.Cost
	r, err := offer{
		given.Transaction, given.Explanation, c.NetworkFeeLamports, c.TotalLamports,
		[]Lamports{c.RentLamports, c.DistributionWalletFundingLamports},
	}.read(wallet, true)
	if err != nil {
		return wire.Transaction{}, err
	}
	if given.MintKeypair.PublicKey == wallet {
		return wire.Transaction{}, mismatch("it would make your wallet a mint")
	}
	uri, err := asked.metadataURI(wallet, given.MintKeypair.PublicKey)
	if err != nil {
		return wire.Transaction{}, err
	}
	if given.MetadataURI != uri {
		return wire.Transaction{}, mismatch("its metadata differs: the file is %.80q, and your request makes %q", given.MetadataURI, uri)
	}
	rent, err := createdFor(r.rest)
	if err != nil {
		return wire.Transaction{}, err
	}
	var multisigRent uint64
	if !asked.Guardian.IsZero() {
		multisigRent = multisigFor(r.rest)
	}
	if all, over := bits.Add64(rent, multisigRent, 0); over > 0 || all > c.RentLamports.Uint64() {
		return wire.Transaction{}, mismatch("the token's accounts take %d lamports of rent, more than its cost says", all)
	}
	steps, err := creation.Creation{
		Payer: wallet, Mint: given.MintKeypair.PublicKey, DistributionWallet: to.Address, Guardian: asked.Guardian,
		Name: asked.Name, Symbol: asked.Symbol, URI: uri,
		Decimals: uint8(asked.Decimals), Supply: asked.Supply.Uint64(), TransferFeeBps: uint16(asked.TransferFeePercent.count), // #nosec G115 -- small, or the comparison fails
		FeeAdjustable: asked.TransferFeeAdjustable, ImmutableMetadata: asked.ImmutableMetadata,
		MintRentLamports: rent, MultisigRentLamports: multisigRent, FundingLamports: c.DistributionWalletFundingLamports.Uint64(),
	}.Steps()
	if err != nil {
		return wire.Transaction{}, mismatch("%v", err)
	}
	return r.is(steps)
}

// createdFor returns the lamports of the instruction that creates the mint's account.
func createdFor(list []wire.Instruction) (uint64, error) {
	const minimum = 4 + 8
	if len(list) == 0 || len(list[0].Data) < minimum {
		return 0, mismatch("it makes no mint")
	}
	return binary.LittleEndian.Uint64(list[0].Data[4:]), nil
}

// multisigFor returns the lamports of the instruction that creates the account of a token's three
// members; zero without such an instruction, which the comparison rejects.
func multisigFor(list []wire.Instruction) uint64 {
	for _, in := range list {
		if in.ProgramID == solana.SystemProgramID {
			if made, err := systemprogram.DecodeCreateAccountWithSeed(in.Keys(), in.Data); err == nil {
				return made.Lamports
			}
		}
	}
	return 0
}

// CheckRefresh checks that a fresh transaction is the transaction that the wallet signed before, on
// another blockhash and without the wallet's own changes. A fresh transaction that passes creates
// the same token for no higher priority fee, and at most one of the two transactions can land.
func CheckRefresh(wallet solana.PublicKey, signed string, fresh Refresh) (wire.Transaction, error) {
	before, err := wire.ParseBase64(signed)
	if err != nil {
		return wire.Transaction{}, mismatch("what was signed before: %v", err)
	}
	if err := before.VerifySignature(wallet); err != nil {
		return wire.Transaction{}, mismatch("what was signed before: %v", err)
	}
	tx, err := wire.ParseBase64(fresh.Transaction)
	if err != nil {
		return wire.Transaction{}, mismatch("%v", err)
	}
	issued, err := tx.Message().OnRecent(before.Message().Recent())
	if err == nil {
		_, err = transaction.Changes(issued, before.Message())
	}
	if err != nil {
		return wire.Transaction{}, mismatch("it is another transaction than the one that was signed before: in that, %v", err)
	}
	if fee, maximum := transaction.PriorityFee(issued), transaction.PriorityFee(before.Message()); fee > maximum {
		return wire.Transaction{}, mismatch("it offers a priority fee of %s, and the one that was signed before %s", LamportsOf(fee), LamportsOf(maximum))
	}
	if first := issued.Instructions()[0]; systemprogram.IsAdvanceNonce(first.ProgramID, first.Data) {
		return wire.Transaction{}, mismatch("it uses a durable nonce, and so never needs another blockhash")
	}
	return tx, nil
}
