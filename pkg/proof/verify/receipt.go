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

// MaxReceiptLamports is the maximum lamports of a new receipt: the minimum rent of an account of 0
// bytes at the highest rate that the network has had. The rent is for 128 bytes and 2 years at
// 3,480 lamports each (solana-rent, ACCOUNT_STORAGE_OVERHEAD, DEFAULT_EXEMPTION_THRESHOLD,
// DEFAULT_LAMPORTS_PER_BYTE_YEAR). Mainnet only lowers the rate. The network rejects less than the
// current minimum.
const MaxReceiptLamports = 890_880

// The lengths of a receipt's seed, in characters of base64url (RFC 4648, section 5).
const (
	minReceiptSeed = 16
	maxReceiptSeed = 22
)

// isPublic reports whether a transaction of the purpose shows the market the payees and the
// amounts. Such a transaction must not land before the snapshot.
func isPublic(p format.Purpose) bool {
	return slices.Contains([]format.Purpose{format.Burn, format.Exchange, format.Fuel, format.Creator, format.Pay}, p)
}

// receipts is the effects of a transaction on the wallet's receipts, in lamports.
type receipts struct {
	made     solana.PublicKey // zero if no receipt was created
	lent     uint64
	returned uint64
}

// read checks an instruction of the System program. A payment must create exactly one receipt, in
// the first instruction. Any other transaction must create no receipt. Lamports of a receipt must
// return to the wallet. The wallet must not be in an instruction that no purpose needs, such as an
// instruction of a durable nonce.
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
		return fmt.Errorf("an instruction of the System program's kind %d names the wallet", kind)
	}
	return nil
}

// checkReceipt checks an account that is created as a receipt.
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

// checkAddress checks that the account is the receipt of the base and the seed.
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
