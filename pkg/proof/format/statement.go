package format

import (
	"fmt"
	"strings"
)

// Name says what a part of a statement is.
type Name string

// What comes in.
const (
	Collected Name = "collected" // withheld tax
	Deposits  Name = "deposits"  // what others sent to the wallet since the last run
	Proceeds  Name = "proceeds"  // of the exchange
	FuelCame  Name = "fuel"      // of the exchange for the wallet's own costs
	Returned  Name = "returned"  // rent of accounts that were closed
	// ReceiptsReturned is the lamports that came back from receipts, also from those of
	// earlier runs, with what strangers sent them.
	ReceiptsReturned Name = "receiptsReturned"
)

// Adjustment is what no transaction of the run explains, on either side: the service
// entered it, and says why.
const Adjustment Name = "adjustment"

// What goes out.
const (
	Burned       Name = "burned"
	Sold         Name = "sold"
	FuelSold     Name = "fuelSold" // for the wallet's own costs
	ToCreator    Name = "creator"  // what arrived
	ToHolders    Name = "holders"  // what arrived
	TaxOnSending Name = "taxOnSending"
	Fees         Name = "fees"
	Rent         Name = "rent"
	ReceiptsLent Name = "receiptsLent" // lamports that left for receipts, and can come back
	Undecided    Name = "undecided"    // left, by a transaction that no node can say more of
)

// What the closing balance is made of.
const (
	Owed     Name = "owed"     // to holders and the creator
	Reserved Name = "reserved" // sent to them, perhaps
	Carried  Name = "carried"  // to be sold or shared out in the next run
	Float    Name = "float"    // for the wallet's own costs, or not allocated yet
)

// The names in the order in which statements have them.
var (
	InNames   = []Name{Collected, Deposits, Proceeds, FuelCame, Returned, ReceiptsReturned, Adjustment}
	OutNames  = []Name{Burned, Sold, FuelSold, ToCreator, ToHolders, TaxOnSending, Fees, Rent, ReceiptsLent, Undecided, Adjustment}
	HeldNames = []Name{Owed, Reserved, Carried, Float}
)

// Entry is an amount with its name.
type Entry struct {
	Name   Name   `json:"name"`
	Amount Amount `json:"amount"`
	// Reason is why an adjustment was entered; empty for all others. See ValidReason.
	Reason string `json:"reason,omitempty"`
}

// MaxAdjustmentReason is the longest reason of an adjustment, in characters.
const MaxAdjustmentReason = 300

// ValidReason says whether a text can be the reason of an adjustment: printable ASCII
// that JSON writes in one way only.
func ValidReason(text string) bool {
	strange := func(c rune) bool { return c < ' ' || c > '~' || strings.ContainsRune("\"\\<>&", c) }
	return text != "" && len(text) <= MaxAdjustmentReason && !strings.ContainsFunc(text, strange)
}

// Statement shows that nothing of an asset is lost: opening and what came in are
// what went out and closing, and closing is what it is held for. Names stand in
// the order of their declaration, each once at most; one that is missing is zero.
type Statement struct {
	Asset   string  `json:"asset"`
	Opening Amount  `json:"opening"`
	In      []Entry `json:"in"`
	Out     []Entry `json:"out"`
	Closing Amount  `json:"closing"`
	HeldFor []Entry `json:"heldFor"`
}

// Of gives the amount with this name; zero when there is none.
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

// String is, for example, "100 + collected 5 = burned 1 + 104 (owed 4 + float 100)".
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

// Entries makes a list of the amounts that are not zero, in the order of a
// statement.
func Entries(amounts map[Name]uint64) []Entry {
	return EntriesOf(amounts, "")
}

// EntriesOf is Entries with the reason of an adjustment among them.
func EntriesOf(amounts map[Name]uint64, reason string) []Entry {
	list := []Entry{}
	for _, names := range [][]Name{InNames, OutNames, HeldNames} {
		for _, name := range names {
			if amount := amounts[name]; amount > 0 && name != Adjustment {
				list = append(list, Entry{Name: name, Amount: Amount(amount)})
			}
		}
	}
	if amount := amounts[Adjustment]; amount > 0 { // the last on both sides
		list = append(list, Entry{Name: Adjustment, Amount: Amount(amount), Reason: reason})
	}
	return list
}
