package terms

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
)

// orderDomain is the first line of every order's text. No transaction begins with this line,
// because the line's first byte would announce 84 signatures, which do not fit into a transaction.
// No sign-in message begins with this line, because a sign-in message begins with the name of a
// site.
const orderDomain = "Tokenlaunch distribution settings"

// ErrNotOrdered is returned for a signature that is not the creator's over a version of settings.
var ErrNotOrdered = errors.New("the signature is not the creator's over these settings")

// OrderText returns the text that a creator signs to order settings. A version of a token's
// settings has exactly one text, in ASCII, for a wallet to show. Each fact that decides about money
// has its own line. A line feed separates lines, and no line feed ends the text. The settings must
// be valid by Validate. A split of the creator's share adds a line for each wallet, in the order of
// the wallets; the first wallet gets the remainder of rounding. A reward basis other than
// BasisSnapshot and a minimum for holders add a line each, too, and so does a delay of changes.
func OrderText(mint solana.PublicKey, number int64, s Settings) string {
	lines := []string{orderDomain, "Token: " + mint.String(), "Version: " + strconv.FormatInt(number, 10)}
	for _, f := range fields {
		if f.ordered != nil {
			lines = append(lines, f.ordered(s)...)
		}
	}
	return strings.Join(lines, "\n")
}

// OrderHash returns the SHA-256 of OrderText.
func OrderHash(mint solana.PublicKey, number int64, s Settings) [sha256.Size]byte {
	return sha256.Sum256([]byte(OrderText(mint, number, s)))
}

// VerifyOrder checks that a token's creator signed this version of its settings, in one of the
// forms of auth.SignedText. It returns ErrNotOrdered for any other signature.
func VerifyOrder(creator, mint solana.PublicKey, number int64, s Settings, signature solana.Signature) error {
	if !auth.SignedText(creator, OrderText(mint, number, s), signature) {
		return fmt.Errorf("version %d of %s: %w", number, mint, ErrNotOrdered)
	}
	return nil
}
