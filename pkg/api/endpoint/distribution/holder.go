package distribution

import (
	"fmt"
	"net/http"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
)

// holderBody is one wallet's result of the last settled run. Why is the reason if the wallet was
// not paid, and null otherwise.
type holderBody struct {
	MintAddress string          `json:"mintAddress"`
	Wallet      string          `json:"wallet"`
	Run         *holderRunBody  `json:"run"`
	Balance     string          `json:"balance"`
	Assets      []holderRowBody `json:"assets"`
	Why         *reasonBody     `json:"why"`
}

type holderRunBody struct {
	ID string `json:"id"`
	scheduled
	Proof  *contract.Content    `json:"proof"`
	Anchor *contract.AnchorFile `json:"anchor"`
}

// holderRowBody is the wallet's row of one asset, with an inclusion proof.
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

// inclusionBody proves to a reader who knows the Merkle root that a line is included. The line is
// the leaf, and path has the hashes on the way to the root.
type inclusionBody struct {
	Line  string   `json:"line"`
	Index uint64   `json:"index"`
	Size  uint64   `json:"size"`
	Path  []string `json:"path"`
	Root  string   `json:"root"`
}

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
		out.Why = newReason(holder.NoRun())
		return apigw.WriteJSON(w, http.StatusOK, out)
	}
	out.Run = e.newLastRun(*head.Last)
	manifest, err := e.manifest(ctx, head.Last.Manifest)
	if err != nil {
		return err
	}
	standing, err := holder.Stand(ctx, *manifest, e.Proofs, wallet, len(manifest.Legs))
	if err != nil {
		return apperr.Upstream("The file store", fmt.Errorf("look %s up in the proof %s: %w", wallet, head.Last.Manifest, err))
	}
	out.Balance, out.Why = contract.Amount(standing.Balance), newReason(standing.Why)
	for _, found := range standing.Rows {
		out.Assets = append(out.Assets, newHolderRow(found.Row, found.Inclusion, manifest.Rows.Root))
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

func (e Endpoint) newLastRun(last run.Last) *holderRunBody {
	return &holderRunBody{ID: last.Run, scheduled: newScheduled(last.Slot), Proof: contract.OptionalContent(e.Gateway, last.Manifest), Anchor: contract.NewAnchorFile(e.Gateway, last.Anchor)}
}

func newReason(why *holder.Why) *reasonBody {
	if why == nil {
		return nil
	}
	return &reasonBody{why.Code, why.Detail}
}

func newHolderRow(r allocation.Row, in format.Inclusion, root string) holderRowBody {
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
