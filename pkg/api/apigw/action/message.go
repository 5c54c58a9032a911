package action

import (
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
)

// lifetime is the maximum age of a message. skew is the maximum difference of two functions' clocks.
const (
	lifetime = auth.ChallengeLifetime
	skew     = time.Minute
)

// timeForm is the layout of IssuedAt.
const timeForm = "2006-01-02T15:04:05.000Z"

// nonceForm is the form of a nonce.
var nonceForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Message is a message for a wallet to sign. The service stores no message: a signature within the
// lifetime permits what Statement says, also more than once. Statement must therefore name an act
// whose repetition has no effect. A sign-in challenge is not an alternative, because the signature
// would let a site that shows the action get an access token.
type Message struct {
	Domain    string `json:"domain"`
	Address   string `json:"address"`
	Statement string `json:"statement"`
	Nonce     string `json:"nonce"`
	IssuedAt  string `json:"issuedAt"`
}

// Request is the response that has a wallet sign a message. The client sends the signature to the
// address in Links.
type Request struct {
	Type  string       `json:"type"`
	Data  Message      `json:"data"`
	Links RequestLinks `json:"links"`
}

// RequestLinks has the address for the signature.
type RequestLinks struct {
	Next Next `json:"next"`
}

// Next is the address of the next request.
type Next struct {
	Type string `json:"type"`
	Href string `json:"href"`
}

// Ask returns the request for a wallet's signature. The signature is sent to the path href.
func (s Site) Ask(wallet solana.PublicKey, statement, href string, now time.Time, random io.Reader) (Request, error) {
	var nonce [16]byte
	if _, err := io.ReadFull(random, nonce[:]); err != nil {
		return Request{}, fmt.Errorf("make a nonce: %w", err)
	}
	m := Message{s.Domain(), wallet.String(), statement, hex.EncodeToString(nonce[:]), apigw.Timestamp(now)}
	return Request{Signs, m, RequestLinks{Next{"post", href}}}, nil
}

// Text returns the text to sign, in the specification's template.
func (m Message) Text() string {
	return m.Domain + " wants you to sign a message with your account:\n" + m.Address +
		"\n\n" + m.Statement + "\n\nNonce: " + m.Nonce + "\nIssued At: " + m.IssuedAt
}

// Agreed returns nil if the fields of a request have a message with this statement, and the
// signature of the wallet, made within the lifetime.
func (s Site) Agreed(fields *body.Fields, wallet solana.PublicKey, statement string, now time.Time) error {
	signature, ok := auth.ParseSignature(fields.String("signature"))
	if !ok {
		fields.Reject("signature", apperr.CodeInvalidFormat, "Must be a signature: 64 bytes in base58 or base64.")
	}
	var m Message
	if !fields.OptionalObject("data", func(data *body.Fields) {
		data.AcceptUnknown()
		m = Message{
			data.String("domain"), data.String("address"), data.String("statement"), data.String("nonce"), data.String("issuedAt"),
		}
	}) {
		fields.Reject("data", apperr.CodeRequired, "This field is required: the message as it was returned.")
	}
	if err := fields.Err(); err != nil {
		return err
	}
	issued, err := time.Parse(timeForm, m.IssuedAt)
	switch {
	case err != nil, !nonceForm.MatchString(m.Nonce), m.Domain != s.Domain(), m.Address != wallet.String(), m.Statement != statement:
		return apperr.New(apperr.CodeChallengeUnknown, "This message was not made for this wallet and this act, or was changed. Start again.")
	case now.Sub(issued) >= lifetime, issued.Sub(now) > skew:
		return apperr.New(apperr.CodeChallengeExpired, "The message has expired: it is valid for 5 minutes. Start again.")
	}
	if err := signature.Check(wallet, m.Text()); err != nil {
		return apperr.New(apperr.CodeInvalidSignature, "The signature is not this wallet's signature of this message.")
	}
	return nil
}
