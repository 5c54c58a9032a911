// Package origin holds a token's record to what its creator signed: the transaction of the
// launch, and the metadata file that this names by its content id.
//
// The creator's signature on the launch fixes who the creator is, the distribution wallet,
// and the content id, and with it the settings of the launch, whose text stands in the
// file. So nothing that was written into the launch table later can redirect a token's
// tax: see docs/security.md, "Inside".
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

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// ErrForged: a record is not what its creator signed. It never becomes right by waiting.
var ErrForged = errors.New("the record is not what the creator signed")

// Chain reads transactions.
type Chain interface {
	// SignedLaunch gives a finalized transaction that succeeded; an error that passes while
	// the node has none.
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

// Mark stands for all that Check looks at: while it is the same, so is the answer.
func Mark(r token.Record) string {
	hash := sha256.New()
	for _, part := range [][]byte{r.Mint[:], r.Creator[:], r.Wallet.Address[:], r.Signature[:], []byte(r.MetadataCID)} {
		hash.Write(part)
	}
	settings := launchTerms(r)
	hash.Write(settings[:])
	return hex.EncodeToString(hash.Sum(nil))
}

// launchTerms is terms.OrderHash of what the record takes for the settings of the launch.
func launchTerms(r token.Record) [sha256.Size]byte {
	if r.SettingsVersion == terms.LaunchVersion {
		return terms.OrderHash(r.Mint, terms.LaunchVersion, r.Settings)
	}
	return r.LaunchTerms
}

// Check fails with ErrForged when the record's creator, distribution wallet or content id
// are not those of the launch that its signature names, or when what it takes for the
// settings of the launch, which later ones were merged into, is not in the metadata file.
func (c Checker) Check(ctx context.Context, r token.Record) error {
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

// limits is how many bytes of the instruction that sets the tax say how much it is: two
// of basis points and eight of the maximum. They are last.
const limits = 10

// checkLaunch looks for the two instructions that a mint is made with and never again.
func checkLaunch(r token.Record, m wire.Message) error {
	if m.FeePayer() != r.Creator {
		return fmt.Errorf("%s launched it", m.FeePayer())
	}
	tax := token2022.InitializeTransferFeeConfig{
		Mint: r.Mint, ConfigAuthority: r.Authorities().TransferFee, WithdrawWithheldAuthority: r.Wallet.Address, MaximumFee: math.MaxUint64,
	}.Instruction()
	name := token2022.InitializeMetadata{
		Mint: r.Mint, UpdateAuthority: r.Creator, MintAuthority: r.Creator, Name: r.Name, Symbol: r.Symbol, URI: content.Gateway + r.MetadataCID,
	}.Instruction()
	if !has(m, tax, limits) {
		return errors.New("its launch gives the tax to another wallet")
	}
	if !has(m, name, 0) {
		return errors.New("its launch names it otherwise, or another metadata file")
	}
	return nil
}

// has says whether a message has an instruction, whose last bytes may be others.
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
