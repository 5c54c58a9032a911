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

// Verdict says whether a transfer pays for a promotion, or why not. It is a stable
// word for logs.
type Verdict string

// Verdicts.
const (
	Pays           Verdict = "pays"
	WrongPayer     Verdict = "wrong_payer"
	WrongRecipient Verdict = "wrong_recipient"
	WrongAmount    Verdict = "wrong_amount"
	// Failed: the transaction is on the chain and did nothing.
	Failed Verdict = "transaction_failed"
	// NoTransfer: no transfer of SOL in the transaction names the reference.
	NoTransfer Verdict = "no_transfer"
	// Counted: the transfer has paid for another promotion.
	Counted Verdict = "paid_another_promotion"
	// Overpaid: it would pay, and the promotion is paid.
	Overpaid Verdict = "promotion_overpaid"
)

// Judge says whether a transfer that names the promotion's reference, of a
// transaction that succeeded, is its payment. That it is finalized, and counts for
// no other promotion, is for others to see to.
func (p Promotion) Judge(t Transfer) Verdict {
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
