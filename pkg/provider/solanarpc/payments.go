package solanarpc

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/market/watch"
)

// The client implements the interface of the watcher of promotions; see watch.PromotionChain.
var _ watch.PromotionChain = (*Client)(nil)

// mentionPages is the maximum number of pages that Mentions reads: ten thousand transactions.
// Anyone who knows an address can name the address, at 5,000 lamports for each transaction.
const mentionPages = 10

// tagSystemTransfer is the tag of SystemInstruction::Transfer (solana-system-interface). The
// lamports follow the tag as u64. The accounts are the sender and the receiver.
const tagSystemTransfer = 2

// Mentions lists the finalized transactions that name an address, the oldest first; see
// watch.PromotionChain.
func (c *Client) Mentions(ctx context.Context, address solana.PublicKey) (list []solana.Signature, more bool, err error) {
	more = true
	var before solana.Signature
	for page := 0; more && page < mentionPages; page++ {
		listed, err := c.Signatures(ctx, address, before, MaxSignatures)
		if err != nil {
			return nil, false, err
		}
		for _, l := range listed {
			before = l.Signature
			list = append(list, before)
		}
		more = len(listed) == MaxSignatures
	}
	slices.Reverse(list)
	return list, more, nil
}

// Payments returns a finalized transaction with the transfers that name a reference; see
// watch.PromotionChain.
func (c *Client) Payments(ctx context.Context, signature solana.Signature, reference solana.PublicKey) (featured.Mention, error) {
	landed, err := c.Transaction(ctx, signature)
	if err != nil {
		return featured.Mention{}, fmt.Errorf("read the payments of transaction %s: %w", signature, err)
	}
	m := featured.Mention{Signature: signature, Failed: landed.Failed}
	for place, in := range landed.Instructions {
		if t, ok := systemTransfer(in); ok && slices.Contains(in.Accounts[2:], reference) {
			t.Place = place
			m.Transfers = append(m.Transfers, t)
		}
	}
	return m, nil
}

// systemTransfer decodes an instruction as a transfer of SOL; ok is false for any other
// instruction.
func systemTransfer(in index.Instruction) (t featured.Transfer, ok bool) {
	const length = 4 + 8
	if in.Program != solana.SystemProgramID || len(in.Accounts) < 2 || len(in.Data) < length ||
		binary.LittleEndian.Uint32(in.Data) != tagSystemTransfer {
		return t, false
	}
	return featured.Transfer{From: in.Accounts[0], To: in.Accounts[1], Lamports: binary.LittleEndian.Uint64(in.Data[4:])}, true
}
