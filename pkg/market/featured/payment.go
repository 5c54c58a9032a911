package featured

import "github.com/gagliardetto/solana-go"

// Mention is a finalized transaction that names the reference of a promotion.
type Mention struct {
	Signature solana.Signature
	// Failed reports that the transaction is on the chain with an error, and had no effect.
	Failed bool
	// Transfers are the transfers in the transaction whose accounts include the reference, in
	// order.
	Transfers []Transfer
}

// Transfer is a transfer of SOL by the System program.
type Transfer struct {
	// Place is the transfer's number among the instructions that its transaction executed, in the
	// order of execution, inner instructions included.
	Place    int
	From, To solana.PublicKey
	Lamports uint64
}

// Match is the result of comparing a transfer with a promotion: payment, or the reason for a
// mismatch. Match is a stable word for logs.
type Match string

// Matches.
const (
	Pays           Match = "pays"
	WrongPayer     Match = "wrong_payer"
	WrongRecipient Match = "wrong_recipient"
	WrongAmount    Match = "wrong_amount"
	// Failed: the transaction is on the chain with an error, and had no effect.
	Failed Match = "transaction_failed"
	// NoTransfer: no transfer of SOL in the transaction names the reference.
	NoTransfer Match = "no_transfer"
	// Counted: the transfer has paid for another promotion.
	Counted Match = "paid_another_promotion"
	// Overpaid: the transfer matches, but the promotion is already paid.
	Overpaid Match = "promotion_overpaid"
)

// Match reports whether a transfer pays for the promotion. The transfer names the promotion's
// reference, and its transaction succeeded. Callers check that the transaction is finalized, and
// that the transfer does not count for another promotion.
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
