package format

import (
	"fmt"
	"strings"
)

// Name is the name of an entry in a statement.
type Name string

// Incoming amounts.
const (
	Collected Name = "collected" // withheld tax
	Deposits  Name = "deposits"  // amounts that third parties sent to the wallet since the last run
	Proceeds  Name = "proceeds"  // proceeds of the exchange
	FuelCame  Name = "fuel"      // proceeds of the sale for the wallet's own costs
	Returned  Name = "returned"  // rent of closed accounts
	// ReceiptsReturned are the lamports from closed receipts, of this run and of earlier
	// runs, including lamports that third parties sent to receipts.
	ReceiptsReturned Name = "receiptsReturned"
)

// Adjustment is an amount, on either side, that no transaction of the run explains. The service
// enters the amount with a reason.
const Adjustment Name = "adjustment"

// Outgoing amounts.
const (
	Burned       Name = "burned"
	Sold         Name = "sold"
	FuelSold     Name = "fuelSold" // sold for the wallet's own costs
	ToCreator    Name = "creator"  // received by the creator's wallets
	ToHolders    Name = "holders"  // received by holders
	TaxOnSending Name = "taxOnSending"
	Fees         Name = "fees"
	Rent         Name = "rent"
	ReceiptsLent Name = "receiptsLent" // lamports deposited in receipts, which a Return brings back
	Undecided    Name = "undecided"    // sent by a transaction whose effect no node reports
)

// Parts of the closing balance.
const (
	Owed     Name = "owed"     // owed to holders and the creator
	Reserved Name = "reserved" // perhaps paid to holders and the creator
	Carried  Name = "carried"  // kept for a sale or a payout in the next run
	Float    Name = "float"    // kept for the wallet's own costs, or not allocated yet
)

// The names, in the order of a statement.
var (
	InNames   = []Name{Collected, Deposits, Proceeds, FuelCame, Returned, ReceiptsReturned, Adjustment}
	OutNames  = []Name{Burned, Sold, FuelSold, ToCreator, ToHolders, TaxOnSending, Fees, Rent, ReceiptsLent, Undecided, Adjustment}
	HeldNames = []Name{Owed, Reserved, Carried, Float}
)

// Entry is an amount with its name.
type Entry struct {
	Name   Name   `json:"name"`
	Amount Amount `json:"amount"`
	// Reason is the reason for an adjustment, and empty for other names. See ValidReason.
	Reason string `json:"reason,omitempty"`
}

// MaxAdjustmentReason is the maximum length of an adjustment's reason, in characters.
const MaxAdjustmentReason = 300

// ValidReason reports whether a text can be the reason of an adjustment: printable ASCII without
// characters that JSON encoders escape.
func ValidReason(text string) bool {
	strange := func(c rune) bool { return c < ' ' || c > '~' || strings.ContainsRune("\"\\<>&", c) }
	return text != "" && len(text) <= MaxAdjustmentReason && !strings.ContainsFunc(text, strange)
}

// Statement shows that no unit of an asset is lost: Opening plus In equals Out plus Closing, and
// Closing equals HeldFor. Every name occurs at most once, in the order of declaration. A missing name
// means zero.
type Statement struct {
	Asset   string  `json:"asset"`
	Opening Amount  `json:"opening"`
	In      []Entry `json:"in"`
	Out     []Entry `json:"out"`
	Closing Amount  `json:"closing"`
	HeldFor []Entry `json:"heldFor"`
}

// Of returns the amount with the given name; zero if the statement lacks the name.
func (s Statement) Of(name Name) uint64 {
	for _, list := range [][]Entry{s.In, s.Out, s.HeldFor} {
		for _, e := range list {
			if e.Name == name {
				return uint64(e.Amount)
			}
		}
	}
	return 0
}

// String returns, for example, "100 + collected 5 = burned 1 + 104 (owed 4 + float 100)".
func (s Statement) String() string {
	var b strings.Builder
	list := func(entries []Entry) {
		for i, e := range entries {
			if i > 0 {
				b.WriteString(" + ")
			}
			fmt.Fprintf(&b, "%s %d", e.Name, e.Amount)
		}
	}
	fmt.Fprintf(&b, "%d", s.Opening)
	if len(s.In) > 0 {
		b.WriteString(" + ")
	}
	list(s.In)
	b.WriteString(" = ")
	list(s.Out)
	if len(s.Out) > 0 {
		b.WriteString(" + ")
	}
	fmt.Fprintf(&b, "%d (", s.Closing)
	list(s.HeldFor)
	b.WriteString(")")
	return b.String()
}

// Entries returns the nonzero amounts as a list, in the order of a statement.
func Entries(amounts map[Name]uint64) []Entry {
	return EntriesOf(amounts, "")
}

// EntriesOf is like Entries, and sets the reason of an adjustment.
func EntriesOf(amounts map[Name]uint64, reason string) []Entry {
	list := []Entry{}
	for _, names := range [][]Name{InNames, OutNames, HeldNames} {
		for _, name := range names {
			if amount := amounts[name]; amount > 0 && name != Adjustment {
				list = append(list, Entry{Name: name, Amount: Amount(amount)})
			}
		}
	}
	if amount := amounts[Adjustment]; amount > 0 { // last on both sides
		list = append(list, Entry{Name: Adjustment, Amount: Amount(amount), Reason: reason})
	}
	return list
}
