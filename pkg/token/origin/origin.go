// Package origin checks a token's record against the creator's signature: the transaction of the
// launch, and the metadata file whose content ID is in the transaction.
//
// The creator's signature on the launch fixes the creator, the distribution wallet, and the content
// ID. The content ID fixes the settings of the launch, whose text is in the metadata file. So no
// later write to the launch table can redirect a token's tax: see docs/attacks.md, "Inside".
package origin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// ErrForged is returned for a record that differs from the creator's signature. The error is
// permanent.
var ErrForged = errors.New("the record is not what the creator signed")

// Chain reads transactions.
type Chain interface {
	// SignedLaunch returns a finalized transaction that succeeded. It returns a transient error
	// while the node does not have the transaction.
	SignedLaunch(ctx context.Context, signature solana.Signature) (wire.Transaction, error)
}

// Objects reads files by their keys.
type Objects interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Checker checks records. Every field is required.
type Checker struct {
	Chain Chain
	Files Objects
	// CID computes the content id of a file.
	CID func(content []byte) (string, error)
}

// Mark returns a hash of all fields that Check reads. The result of Check is the same for the same
// mark.
func Mark(r token.Record) string {
	r = r.AtLaunch()
	hash := sha256.New()
	for _, part := range [][]byte{r.Mint[:], r.Creator[:], r.Wallet.Address[:], r.Signature[:], []byte(r.MetadataCID)} {
		hash.Write(part)
	}
	if !r.Guardian.IsZero() { // without a guardian, stored marks stay valid
		hash.Write(r.Guardian[:])
	}
	settings := launchTerms(r)
	hash.Write(settings[:])
	return hex.EncodeToString(hash.Sum(nil))
}

// launchTerms returns terms.OrderHash of the settings that the record presents as the settings of
// the launch.
func launchTerms(r token.Record) [sha256.Size]byte {
	if r.SettingsVersion == terms.LaunchVersion {
		return terms.OrderHash(r.Mint, terms.LaunchVersion, r.Settings)
	}
	return r.LaunchTerms
}

// Check returns ErrForged if the record's creator, distribution wallet or content ID differ from
// the launch with the record's signature. It also returns ErrForged if the settings that the record
// presents as the settings of the launch are not in the metadata file. Later settings were merged
// into the settings of the launch.
func (c Checker) Check(ctx context.Context, r token.Record) error {
	r = r.AtLaunch()
	launch, err := c.Chain.SignedLaunch(ctx, r.Signature)
	if err != nil {
		return fmt.Errorf("read the launch of %s: %w", r.Mint, err)
	}
	if err := checkLaunch(r, launch.Message()); err != nil {
		return fmt.Errorf("token %s: %w: %w", r.Mint, ErrForged, err)
	}
	file, err := c.Files.Get(ctx, content.Metadata.Key(r.MetadataCID))
	if err != nil {
		return fmt.Errorf("read the metadata of %s: %w", r.Mint, err)
	}
	cid, err := c.CID(file)
	if err != nil {
		return fmt.Errorf("compute the content id of the metadata of %s: %w", r.Mint, err)
	}
	settings, err := token.LaunchSettings(file)
	switch {
	case cid != r.MetadataCID:
		return fmt.Errorf("token %s: %w: the metadata file has the content id %s", r.Mint, ErrForged, cid)
	case err != nil:
		return fmt.Errorf("token %s: %w: %w", r.Mint, ErrForged, err)
	case sha256.Sum256([]byte(settings)) != launchTerms(r):
		return fmt.Errorf("token %s: %w: the settings of the launch were others", r.Mint, ErrForged)
	}
	return nil
}

// limits is the number of bytes at the end of the tax instruction that state the tax: two of basis
// points and eight of the maximum.
const limits = 10

// checkLaunch checks the instructions that only the creation of a mint can contain.
func checkLaunch(r token.Record, m wire.Message) error {
	if m.FeePayer() != r.Creator {
		return fmt.Errorf("%s launched it", m.FeePayer())
	}
	tax := token2022.InitializeTransferFeeConfig{
		Mint: r.Mint, ConfigAuthority: r.Authorities().TransferFee, WithdrawWithheldAuthority: r.Authorities().WithdrawWithheld, MaximumFee: math.MaxUint64,
	}.Instruction()
	name := token2022.InitializeMetadata{
		Mint: r.Mint, UpdateAuthority: r.Creator, MintAuthority: r.Creator, Name: r.Name, Symbol: r.Symbol, URI: content.Gateway + r.MetadataCID,
	}.Instruction()
	if !has(m, tax, limits) {
		return errors.New("its launch assigns the tax to another wallet")
	}
	if !r.Guardian.IsZero() && !has(m, token2022.InitializeMultisig2{
		Account: r.Authorities().WithdrawWithheld, Required: creation.MembersRequired,
		Members: creation.Members(r.Wallet.Address, r.Guardian, r.Creator),
	}.Instruction(), 0) {
		return errors.New("its launch assigns the tax to other members")
	}
	if !has(m, name, 0) {
		return errors.New("its launch names it otherwise, or another metadata file")
	}
	return nil
}

// has reports whether a message has an instruction. The last bytes of the instruction's data may
// differ.
func has(m wire.Message, want solana.Instruction, last int) bool {
	data, err := want.Data()
	if err != nil {
		return false
	}
	keys := make([]solana.PublicKey, len(want.Accounts()))
	for n, account := range want.Accounts() {
		keys[n] = account.PublicKey
	}
	return slices.ContainsFunc(m.Instructions(), func(in wire.Instruction) bool {
		return in.ProgramID == want.ProgramID() && slices.Equal(in.Keys(), keys) && len(in.Data) == len(data) &&
			bytes.Equal(in.Data[:len(data)-last], data[:len(data)-last])
	})
}
