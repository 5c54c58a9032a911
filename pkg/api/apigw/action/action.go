// Package action has the requests and responses of Solana Actions, by which wallets and other sites
// show buttons that act on a token (solana.com/docs/advanced/actions, version 2.4 of the
// specification).
package action

import (
	"net/http"
	"net/url"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/token"
)

// version is the version of the specification.
const version = "2.4"

// Action is the description of a token's action. A completed action has no links.
type Action struct {
	Type        string `json:"type"`
	Icon        string `json:"icon"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Label       string `json:"label"`
	Links       *Links `json:"links,omitempty"`
}

// The types of an Action.
const (
	Open      = "action"
	Completed = "completed"
)

// Links are the buttons of an action.
type Links struct {
	Actions []Link `json:"actions"`
}

// Link is one button. A client sends a POST request to Href, in which the client replaces the name
// of a parameter in braces.
type Link struct {
	Type       string      `json:"type"`
	Href       string      `json:"href"`
	Label      string      `json:"label"`
	Parameters []Parameter `json:"parameters,omitempty"`
}

// The types of a Link and of the response to the request.
const (
	Sends = "transaction"
	Signs = "message"
)

// Parameter is one input field.
type Parameter struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	Label    string `json:"label"`
	Required bool   `json:"required"`
}

// Transaction is a transaction for the wallet to sign and send, in base64.
type Transaction struct {
	Type        string `json:"type"`
	Transaction string `json:"transaction"`
	Message     string `json:"message"`
}

// Site is the part of the responses that depends on the deployment. URL is the address of the API,
// without a trailing slash. Chain is the CAIP-2 identifier of the network, or empty for a local
// network.
type Site struct{ URL, Chain string }

// Rules is the content of actions.json, which leads clients from the page of a token to the token's
// action.
const Rules = `{"rules":[{"pathPattern":"/t/*","apiPath":"/actions/*"},{"pathPattern":"/actions/**","apiPath":"/actions/**"}]}`

// Path returns the path of a token's action.
func Path(mint solana.PublicKey) string { return "/actions/" + mint.String() }

// Of returns an action of a token without description and buttons. The icon is the token's card,
// because the specification rejects a JPEG, which is the format of the token's picture.
func (s Site) Of(t token.Record, kind string) Action {
	return Action{
		Type: kind, Title: t.Name + " (" + t.Symbol + ")", Label: t.Symbol,
		Icon: s.URL + "/t/" + t.Mint.String() + "/card.png",
	}
}

// Domain returns the domain in messages that wallets sign.
func (s Site) Domain() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// SetHeaders sets the headers of the specification.
func (s Site) SetHeaders(w http.ResponseWriter) {
	w.Header().Set("X-Action-Version", version)
	if s.Chain != "" {
		w.Header().Set("X-Blockchain-Ids", s.Chain)
	}
	w.Header().Set("Cache-Control", "no-store")
}

// Read parses the body of a POST request, and returns the wallet in field account. It accepts
// unknown fields, because the specification may add fields.
func Read(r *http.Request) (*body.Fields, solana.PublicKey, error) {
	fields, err := body.Read(r)
	if err != nil {
		return nil, solana.PublicKey{}, err
	}
	fields.AcceptUnknown()
	account, ok := auth.ParseWallet(fields.String("account"))
	if !ok {
		fields.Reject("account", apperr.CodeInvalidWalletAddress, "Must be a wallet address: 32 bytes in base58.")
	}
	return fields, account, fields.Err()
}
