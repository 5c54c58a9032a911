package distribution

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/terms"
)

// holderBody is what the last settled run came to for one wallet. Why says why it
// came to nothing, and is null when something was paid.
type holderBody struct {
	MintAddress string          `json:"mintAddress"`
	Wallet      string          `json:"wallet"`
	Run         *holderRunBody  `json:"run"`
	Balance     string          `json:"balance"`
	Assets      []holderRowBody `json:"assets"`
	Why         *reasonBody     `json:"why"`
}

type holderRunBody struct {
	ID    string       `json:"id"`
	Slot  string       `json:"slot"`
	Proof *contentBody `json:"proof"`
}

// holderRowBody is the wallet's row of one asset, with what shows that it is in the
// proof.
type holderRowBody struct {
	Asset      string        `json:"asset"`
	Share      string        `json:"share"`
	OwedBefore string        `json:"owedBefore"`
	Paid       string        `json:"paid"`
	Received   string        `json:"received"`
	Charged    string        `json:"charged"`
	Owed       string        `json:"owed"`
	Reserved   string        `json:"reserved"`
	Reason     *reasonBody   `json:"reason"`
	Signature  *string       `json:"signature"`
	Inclusion  inclusionBody `json:"inclusion"`
}

// inclusionBody shows, to a reader who knows the Merkle root, that a line is among those
// of the proof: the line is the leaf, and path the hashes on its way to the root.
type inclusionBody struct {
	Line  string   `json:"line"`
	Index uint64   `json:"index"`
	Size  uint64   `json:"size"`
	Path  []string `json:"path"`
	Root  string   `json:"root"`
}

// The words that say why a wallet has nothing of the last run, besides those with
// which the proof says why it was left out.
const (
	whyNoRun     = "no_distribution_yet"
	whyNotHolder = "not_a_holder"
	whyNoShare   = "no_share"
)

func (e Endpoint) getHolder(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	wallet, ok := auth.ParseWallet(r.PathValue("wallet"))
	if !ok {
		return apperr.Validation([]apperr.Field{{
			Field: "wallet", Code: apperr.CodeInvalidWalletAddress, Message: "Must be a Solana address: 32 bytes in base58.",
		}})
	}
	record, err := e.token(r)
	if err != nil {
		return err
	}
	head, err := e.Runs.Head(ctx, record.Mint)
	if err != nil {
		return err
	}
	out := holderBody{MintAddress: record.Mint.String(), Wallet: wallet.String(), Balance: "0", Assets: []holderRowBody{}}
	if head.Last == nil {
		out.Why = &reasonBody{whyNoRun, "Nothing of this token has been distributed yet."}
		return apigw.WriteJSON(w, http.StatusOK, out)
	}
	out.Run = &holderRunBody{ID: head.Last.Run, Slot: apigw.Timestamp(head.Last.Slot), Proof: e.newContent(head.Last.Manifest)}
	manifest, err := e.manifest(ctx, head.Last.Manifest)
	if err != nil {
		return err
	}
	if err := e.findRows(ctx, *manifest, wallet, &out); err != nil {
		return apperr.Upstream("The file store", fmt.Errorf("look %s up in the proof %s: %w", wallet, head.Last.Manifest, err))
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// findRows reads one file of rows for each asset, and the one with those who were
// left out when there are no rows of this run.
func (e Endpoint) findRows(ctx context.Context, manifest proof.Manifest, wallet solana.PublicKey, out *holderBody) error {
	var paid uint64
	for _, leg := range manifest.Legs {
		asset, err := terms.ParseAsset(leg.Asset)
		if err != nil {
			return err
		}
		found, ok, err := manifest.Find(ctx, e.Proofs, asset, wallet)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		row := found.Row
		if row.Balance > 0 {
			out.Balance = contract.Amount(row.Balance)
		}
		paid += row.Paid
		out.Assets = append(out.Assets, newHolderRow(row, found.Inclusion, manifest.Rows.Root))
		if row.Reason != "" && out.Why == nil {
			out.Why = &reasonBody{string(row.Reason), row.Reason.Sentence()}
		}
	}
	switch {
	case paid > 0:
		out.Why = nil
		return nil
	case out.Why != nil:
		return nil
	case out.Balance != "0":
		out.Why = &reasonBody{whyNoShare, "There was nothing to share out, or this wallet's share was less than one base unit."}
		return nil
	}
	left, found, err := manifest.FindLeftOut(ctx, e.Proofs, wallet)
	if err != nil {
		return err
	}
	if !found {
		out.Why = &reasonBody{whyNotHolder, "This wallet held none of the token at the snapshot."}
		return nil
	}
	out.Balance = contract.Amount(left.Balance)
	out.Why = &reasonBody{left.Why, leftOutSentence(left, uint64(manifest.Settings.MinimumHolding))}
	return nil
}

// leftOutSentence says why what a wallet held did not count.
func leftOutSentence(left proof.LeftOut, minimum uint64) string {
	switch left.Why {
	case proof.NotHeld:
		return fmt.Sprintf("This wallet had %d base units in the snapshot before, and the lesser of the two balances counts. What it holds now counts from the next distribution on.", left.Before)
	case snapshot.BelowMinimum.String():
		return fmt.Sprintf("This wallet held less than the minimum of %d base units at the snapshot.", minimum)
	case snapshot.DistributionWallet.String():
		return "This is the distribution wallet: what it holds is what is distributed."
	case snapshot.Vault.String():
		return "This address holds the tokens of a pool or a curve."
	case snapshot.Incinerator.String():
		return "What is at this address is permanently out of reach."
	}
	return "This address belongs to a program, not to a person's wallet."
}

func newHolderRow(r allocation.Row, in proof.Inclusion, root string) holderRowBody {
	out := holderRowBody{
		Asset: r.Asset.String(), Share: contract.Amount(r.Share), OwedBefore: contract.Amount(r.Owed), Paid: contract.Amount(r.Paid),
		Received: contract.Amount(r.Received), Charged: contract.Amount(r.Charged), Owed: contract.Amount(r.Carried), Reserved: contract.Amount(r.Reserved),
		Inclusion: inclusionBody{Line: in.Line, Index: in.Index, Size: in.Size, Path: make([]string, len(in.Path)), Root: root},
	}
	for i, hash := range in.Path {
		out.Inclusion.Path[i] = hash.String()
	}
	if r.Reason != "" {
		out.Reason = &reasonBody{string(r.Reason), r.Reason.Sentence()}
	}
	if !r.Signature.IsZero() {
		out.Signature = new(r.Signature.String())
	}
	return out
}
