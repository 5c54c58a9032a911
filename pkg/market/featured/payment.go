package featured

import "github.com/gagliardetto/solana-go"

// Mention is a finalized transaction that names the reference of a promotion.
type Mention struct {
	Signature solana.Signature
	// Failed: it is on the chain, and did nothing.
	Failed bool
	// Transfers are those in it whose accounts include the reference, in its order.
	Transfers []Transfer
}

// Transfer is a transfer of SOL by the System program.
type Transfer struct {
	// Place is its number among the instructions that its transaction executed, in the
	// order of execution, those that others called included.
	Place    int
	From, To solana.PublicKey
	Lamports uint64
}

// Match says whether a transfer pays for a promotion, or why not. It is a stable
// word for logs.
type Match string

// Matches.
const (
	Pays           Match = "pays"
	WrongPayer     Match = "wrong_payer"
	WrongRecipient Match = "wrong_recipient"
	WrongAmount    Match = "wrong_amount"
	// Failed: the transaction is on the chain and did nothing.
	Failed Match = "transaction_failed"
	// NoTransfer: no transfer of SOL in the transaction names the reference.
	NoTransfer Match = "no_transfer"
	// Counted: the transfer has paid for another promotion.
	Counted Match = "paid_another_promotion"
	// Overpaid: it would pay, and the promotion is paid.
	Overpaid Match = "promotion_overpaid"
)

// Match says whether a transfer that names the promotion's reference, of a
// transaction that succeeded, is its payment. That it is finalized, and counts for
// no other promotion, is for others to see to.
func (p Promotion) Match(t Transfer) Match {
	switch {
	case t.From != p.Payer:
		return WrongPayer
	case t.To != p.Treasury:
		return WrongRecipient
	case t.Lamports != p.Lamports:
		return WrongAmount
	case p.Paid():
		return Overpaid
	}
	return Pays
}
