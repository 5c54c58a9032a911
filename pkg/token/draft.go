package token

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/visible"
)

// Bounds of a draft, in Unicode code points and bytes.
const (
	MaxNameLength        = 32
	MaxSymbolLength      = 10
	MaxDescriptionLength = 5_000
	MaxLinkBytes         = 512
)

var decimals = []int{6, 9}

// Decimals lists the numbers of decimals that a token can have.
func Decimals() []int { return slices.Clone(decimals) }

// Draft is a creator's request. DefaultDraft sets the optional fields. Validate reports the invalid
// fields.
type Draft struct {
	Name        string
	Symbol      string
	Description string
	ImageURI    string
	WalletID    string
	Links
	// TransferFeeBps is the transfer tax in basis points, 0 to 10,000.
	TransferFeeBps int
	FeeAdjustable  bool
	Immutable      bool // metadata permanently locked
	// Guardian is as in Record.
	Guardian solana.PublicKey
	Decimals int
	// Supply is the total supply in base units, minted to the creator.
	Supply   uint64
	Settings terms.Settings
}

// DefaultDraft returns a draft with the optional fields set.
func DefaultDraft(creator solana.PublicKey) Draft {
	return Draft{Settings: terms.Default(creator)}
}

// Normalize converts the links to https and the wallet's ID to lower case. Call Normalize before
// Validate.
func (d Draft) Normalize() Draft {
	d.WalletID = strings.ToLower(d.WalletID)
	for site, link := range d.EachLink() {
		*link = site.complete(*link)
	}
	return d
}

// Validate returns all invalid fields by their names in the API, in the order of the requirement's
// table.
func (d Draft) Validate() []apperr.Field {
	var bad []apperr.Field
	reject := func(field string, code apperr.Code, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	checkText := func(field, value string, longest int) {
		switch length := utf8.RuneCountInString(value); {
		case length == 0:
			reject(field, apperr.CodeRequired, fmt.Sprintf("Must be 1 to %d characters.", longest))
		case length > longest:
			reject(field, apperr.CodeOutOfRange, fmt.Sprintf("Must be 1 to %d characters; this has %d.", longest, length))
		case strings.TrimSpace(value) != value:
			reject(field, apperr.CodeInvalidFormat, "Must not begin or end with a space.")
		default:
			if hidden, place, found := visible.Hidden(value); found {
				reject(field, apperr.CodeInvalidFormat, fmt.Sprintf("Must not contain %U, at place %d: it cannot be seen, or changes how others are.", hidden, place))
			} else if !visible.Any(value) {
				reject(field, apperr.CodeInvalidFormat, "Must contain a letter, a digit, a sign or an emoji.")
			}
		}
	}
	checkText("name", d.Name, MaxNameLength)
	checkText("symbol", d.Symbol, MaxSymbolLength)
	if length := utf8.RuneCountInString(d.Description); length > MaxDescriptionLength {
		reject("description", apperr.CodeOutOfRange, fmt.Sprintf("Must be at most %d characters; this has %d.", MaxDescriptionLength, length))
	} else if !cleanText(d.Description) {
		reject("description", apperr.CodeInvalidFormat, "Must not contain control characters other than line breaks and tabs.")
	}
	if _, ok := d.ImageCID(); !ok {
		reject("imageUri", apperr.CodeInvalidFormat, "Must be the imageUri that POST /tokens/upload-image answered: ipfs:// and a content id.")
	}
	if id, err := uuid.Parse(d.WalletID); err != nil || id.String() != d.WalletID {
		reject("walletId", apperr.CodeInvalidFormat, "Must be the walletId that POST /tokens/generate-distribution-wallet answered: a UUID.")
	}
	for site, link := range d.EachLink() {
		if *link != "" && !validLink(*link) {
			reject(site.Name, apperr.CodeInvalidFormat, fmt.Sprintf("Must be an http or https URL of at most %d bytes, for example %s.", MaxLinkBytes, site.example))
		}
	}
	if d.TransferFeeBps < 0 || d.TransferFeeBps > terms.FullBps {
		reject("transferFeePercent", apperr.CodeInvalidPercentage, "Must be a percentage from 0 to 100.")
	}
	if !slices.Contains(decimals, d.Decimals) {
		reject("decimals", apperr.CodeOutOfRange, "Must be 6 or 9.")
	}
	if d.Supply == 0 {
		reject("supply", apperr.CodeOutOfRange, "Must be at least 1: the total supply in base units.")
	}
	return append(bad, d.Settings.Validate()...)
}

// ImageCID returns the content id in ImageURI.
func (d Draft) ImageCID() (cid string, ok bool) {
	cid, ok = strings.CutPrefix(d.ImageURI, content.Scheme)
	return cid, ok && cidForm().MatchString(cid)
}

// cidForm matches a CIDv1 in base32 of a raw SHA-256 block, as the service creates: 59 characters.
// The 58 characters after the prefix encode 290 bits for 36 bytes. The last two bits are zero, so
// each content id has exactly one spelling.
//
// This pattern and the patterns below are compiled at first use, because compiling at the start
// would delay every function.
var cidForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^b[a-z2-7]{57}[aeimquy4]$`) })

func cleanText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unprintable(r) && r != '\n' && r != '\r' && r != '\t'
	})
}

// unprintable reports whether r hides or reorders text: control characters, line and paragraph
// separators, and the bidirectional overrides (Unicode 16, UAX #9). Joiners are allowed because
// emoji and several scripts need joiners.
func unprintable(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return r == utf8.RuneError
}

var handle = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@[A-Za-z0-9_]{1,32}$`) })

// socialLink converts @name and host/name to https://host/name. hosts are the site's names; the
// first host completes a handle. Other values are unchanged, for Validate to check.
func socialLink(value string, hosts ...string) string {
	if handle().MatchString(value) {
		return "https://" + hosts[0] + "/" + value[1:]
	}
	for _, host := range hosts {
		if len(value) > len(host) && strings.EqualFold(value[:len(host)], host) && value[len(host)] == '/' {
			return "https://" + value
		}
	}
	return value
}

// webLink adds https to a bare host name such as "example.com/page".
func webLink(value string) string {
	if value == "" || strings.Contains(value, "://") {
		return value
	}
	host, _, _ := strings.Cut(value, "/")
	if bareHost().MatchString(host) {
		return "https://" + value
	}
	return value
}

var bareHost = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$`)
})

func validLink(value string) bool {
	if len(value) > MaxLinkBytes || strings.ContainsFunc(value, unicode.IsSpace) || strings.ContainsFunc(value, unprintable) {
		return false
	}
	link, err := url.Parse(value)
	if err != nil {
		return false
	}
	return (link.Scheme == "http" || link.Scheme == "https") && link.Hostname() != "" && link.User == nil
}
