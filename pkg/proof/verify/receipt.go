package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// MaxReceiptLamports is the most that a receipt may hold when it is made: the rent
// minimum of an account of 0 bytes at the highest rate that the network has had. That
// is 128 bytes for 2 years at 3,480 lamports each (solana-rent, ACCOUNT_STORAGE_OVERHEAD,
// DEFAULT_EXEMPTION_THRESHOLD, DEFAULT_LAMPORTS_PER_BYTE_YEAR); mainnet only lowers it.
// The network itself refuses less than its minimum.
const MaxReceiptLamports = 890_880

// The lengths of a receipt's seed, in characters of base64url (RFC 4648, section 5).
const (
	minReceiptSeed = 16
	maxReceiptSeed = 22
)

// isPublic says whether the market can see by the purpose who is paid, and how much: so not before
// the snapshot.
func isPublic(p format.Purpose) bool {
	return slices.Contains([]format.Purpose{format.Burn, format.Exchange, format.Fuel, format.Creator, format.Pay}, p)
}

// receipts is what a transaction did with the wallet's receipts, in lamports.
type receipts struct {
	made     solana.PublicKey // zero when it made none
	lent     uint64
	returned uint64
}

// read reads an instruction of the System program. It fails unless a payment makes one
// receipt first, and one only; unless what has none makes none; when lamports of a receipt
// leave it for anywhere but the wallet; and when the wallet stands in an instruction that no
// purpose needs, such as one of a durable nonce.
func (r *receipts) read(wallet solana.PublicKey, purpose format.Purpose, in chain.Instruction) error {
	kind, err := systemprogram.KindOf(in.Data)
	if err != nil {
		return err
	}
	switch kind {
	case systemprogram.KindCreateAccountWithSeed:
		c, err := systemprogram.DecodeCreateAccountWithSeed(in.Accounts, in.Data)
		if err != nil {
			return err
		}
		if !slices.Contains(in.Accounts, wallet) {
			return nil
		}
		if in.Top > 0 || in.Inner || !purpose.HasReceipt() {
			return fmt.Errorf("it makes the account %s, and only a payment's first instruction makes one, its receipt", c.Account)
		}
		r.made, r.lent = c.Account, c.Lamports
		return checkReceipt(wallet, c)
	case systemprogram.KindTransferWithSeed:
		t, err := systemprogram.DecodeTransferWithSeed(in.Accounts, in.Data)
		if err != nil {
			return err
		}
		switch {
		case !slices.Contains(in.Accounts, wallet):
			return nil
		case purpose != format.Return:
			return fmt.Errorf("it empties the receipt %s, which is done in transactions of their own", t.From)
		case t.Base != wallet || t.To != wallet || t.Owner != solana.SystemProgramID:
			return fmt.Errorf("it returns %d lamports of %s's receipt %s to %s", t.Lamports, t.Base, t.From, t.To)
		}
		r.returned += t.Lamports
		return checkAddress(t.From, t.Base, t.Seed)
	case systemprogram.KindTransfer, systemprogram.KindCreateAccount, systemprogram.KindCreateAccountAllowPrefund:
		if purpose.OnlyReceipts() {
			return errors.New("it moves lamports, and a transaction of this purpose only moves receipts")
		}
		return nil
	}
	if slices.Contains(in.Accounts, wallet) {
		return fmt.Errorf("the wallet stands in an instruction of the System program's kind %d", kind)
	}
	return nil
}

// checkReceipt says what is wrong with an account that is made as a receipt.
func checkReceipt(wallet solana.PublicKey, c systemprogram.CreateAccountWithSeed) error {
	switch {
	case c.Payer != wallet || c.Base != wallet:
		return fmt.Errorf("the receipt %s is %s's, paid by %s", c.Account, c.Base, c.Payer)
	case c.Owner != solana.SystemProgramID:
		return fmt.Errorf("the receipt %s is given to the program %s", c.Account, c.Owner)
	case c.Space != 0:
		return fmt.Errorf("the receipt %s has %d bytes, want none", c.Account, c.Space)
	case c.Lamports > MaxReceiptLamports:
		return fmt.Errorf("the receipt %s gets %d lamports, at most %d are its rent", c.Account, c.Lamports, MaxReceiptLamports)
	}
	return checkAddress(c.Account, wallet, c.Seed)
}

// checkAddress: the account is a receipt's, of this base and seed.
func checkAddress(account, base solana.PublicKey, seed string) error {
	if len(seed) < minReceiptSeed || len(seed) > maxReceiptSeed || slices.ContainsFunc([]byte(seed), func(b byte) bool {
		return (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') && b != '-' && b != '_'
	}) {
		return fmt.Errorf("%.40q is no seed of a receipt", seed)
	}
	address, err := systemprogram.AddressWithSeed(base, seed, solana.SystemProgramID)
	if err != nil {
		return err
	}
	if address != account {
		return fmt.Errorf("%s is not the receipt of %s with the seed %s", account, base, seed)
	}
	return nil
}
