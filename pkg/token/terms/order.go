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

// orderDomain is the first line of every order's text. No transaction begins with it: as
// one its first byte would ask for 84 signatures, which no transaction has room for. Nor
// does a message for signing in, which begins with the name of a site.
const orderDomain = "Tokenlaunch distribution settings"

// ErrNotOrdered: a signature is not the creator's over a version of settings.
var ErrNotOrdered = errors.New("the signature is not the creator's over these settings")

// OrderText is what a creator signs to order settings: the one text of a version of a
// token's settings, in ASCII, for a wallet to show. Each fact that decides about money has
// a line of its own; lines are divided by a line feed, and none ends the text. It is of
// settings in which Validate finds nothing. A split of the creator's share adds a line for each
// wallet, in their order: the first gets what rounding leaves over. A reward basis other than the
// snapshot's adds a line, too.
func OrderText(mint solana.PublicKey, number int64, s Settings) string {
	lines := []string{orderDomain, "Token: " + mint.String(), "Version: " + strconv.FormatInt(number, 10)}
	for _, f := range fields {
		if f.ordered != nil {
			lines = append(lines, f.ordered(s)...)
		}
	}
	return strings.Join(lines, "\n")
}

// OrderHash is the SHA-256 of OrderText.
func OrderHash(mint solana.PublicKey, number int64, s Settings) [sha256.Size]byte {
	return sha256.Sum256([]byte(OrderText(mint, number, s)))
}

// VerifyOrder reports whether a token's creator signed this version of its settings, in one of
// the forms of auth.SignedText. It fails with ErrNotOrdered.
func VerifyOrder(creator, mint solana.PublicKey, number int64, s Settings, signature solana.Signature) error {
	if !auth.SignedText(creator, OrderText(mint, number, s), signature) {
		return fmt.Errorf("version %d of %s: %w", number, mint, ErrNotOrdered)
	}
	return nil
}
