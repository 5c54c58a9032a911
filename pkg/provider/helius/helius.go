// Package helius lists the holders of a token from Helius' index of token accounts (the DAS method
// getTokenAccounts), page by page. The package is for tokens with more accounts than nodes list in
// one response.
//
// A listing of Helius is weaker than a node's listing, and must only be used after package snapshot
// has checked the sums. The pages are of successive slots instead of one slot, and Helius does not
// report whether the slots are finalized. The withheld tax of accounts is in the responses as
// token_extensions, which Helius' reference does not document. A listing without token_extensions
// fails the check of sums, unless no tax is withheld.
//
// The package promises that calls end, that amounts are read as integers, and that no error shows
// the address, which contains the key.
package helius

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/backoff"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

const (
	// pageLimit is the maximum number of accounts in a page of Helius.
	pageLimit = 1000
	// pageTimeout is the timeout of one attempt to read a page.
	pageTimeout = 15 * time.Second
	// attempts is the maximum number of attempts to read a page.
	attempts = 4
	// attemptPause is the first pause between attempts, and doubles with every attempt. Helius
	// limits calls per second.
	attemptPause = 250 * time.Millisecond
	// answerLimit is the maximum size of a page, in bytes. An account takes about 300 bytes.
	answerLimit = 4 << 20
	// maxPages is the maximum number of pages of a listing: ten million accounts.
	maxPages = 10_000
)

const upstream = "Helius"

// Client calls Helius. Create a Client with New.
type Client struct {
	// Pause waits for d, or returns the context's error if the context ends first.
	Pause func(ctx context.Context, d time.Duration) error

	address secret.Source
	http    *http.Client
}

// New returns a client. The source provides the address at the time of a call: an http or https URL
// that contains the key. New makes no connection.
func New(address secret.Source, pause func(ctx context.Context, d time.Duration) error) *Client {
	return &Client{Pause: pause, address: address, http: httpclient.New(httpclient.Limits{Answer: answerLimit})}
}

// CheckAddress checks an address. The error does not show the address.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("the address of Helius is not an http or https URL")
	}
	return nil
}

// account is an account in a response.
type account struct {
	Address    *key    `json:"address"`
	Mint       key     `json:"mint"`
	Owner      *key    `json:"owner"`
	Amount     *uint64 `json:"amount"`
	Frozen     bool    `json:"frozen"`
	Extensions struct {
		TransferFeeAmount struct {
			Withheld uint64 `json:"withheld_amount"`
		} `json:"transfer_fee_amount"`
	} `json:"token_extensions"`
}

// key is an address in base58, in JSON.
type key solana.PublicKey

// maxKeyText is the maximum length of an address. The limit is checked first, because decoding
// takes time that is quadratic in the length.
const maxKeyText = 44

// UnmarshalText reads the address.
func (k *key) UnmarshalText(text []byte) error {
	if len(text) > maxKeyText {
		return errors.New("an address is too long")
	}
	decoded, err := solana.PublicKeyFromBase58(string(text))
	*k = key(decoded)
	return err
}

// page is a response.
type page struct {
	Slot     uint64     `json:"last_indexed_slot"`
	Cursor   string     `json:"cursor"`
	Accounts *[]account `json:"token_accounts"`
}

// TokenAccounts calls each for every token account of the mint in Helius' index, and stops with the
// error of each. The span covers the slots of all pages. It returns an apperr.Upstream if a page
// cannot be read or has a slot before from. Accounts without a balance are included, because such
// accounts may hold tax.
func (c *Client) TokenAccounts(
	ctx context.Context, mint solana.PublicKey, _ token2022.Mint, from uint64, each func(snapshot.Account) error,
) (snapshot.Span, error) {
	var span snapshot.Span
	cursor := ""
	for n := range maxPages {
		p, err := c.page(ctx, mint, cursor)
		if err == nil && p.Slot < from {
			err = fmt.Errorf("its slot is %d, before %d", p.Slot, from)
		}
		if err != nil {
			return snapshot.Span{}, apperr.Upstream(upstream, fmt.Errorf("list the accounts of %s, page %d: %w", mint, n+1, err))
		}
		if span.Last = max(span.Last, p.Slot); n == 0 || p.Slot < span.First {
			span.First = p.Slot
		}
		for _, a := range *p.Accounts {
			if err := each(snapshot.Account{
				Address: solana.PublicKey(*a.Address), Owner: solana.PublicKey(*a.Owner), Amount: *a.Amount,
				Withheld: a.Extensions.TransferFeeAmount.Withheld, Frozen: a.Frozen,
			}); err != nil {
				return snapshot.Span{}, err
			}
		}
		if len(*p.Accounts) == 0 || p.Cursor == "" {
			return span, nil
		}
		if p.Cursor == cursor {
			return snapshot.Span{}, apperr.Upstream(upstream, fmt.Errorf("list the accounts of %s: page %d leads to itself", mint, n+1))
		}
		cursor = p.Cursor
	}
	return snapshot.Span{}, apperr.Upstream(upstream, fmt.Errorf("list the accounts of %s: over %d pages", mint, maxPages))
}

// page requests a page, in up to attempts attempts.
func (c *Client) page(ctx context.Context, mint solana.PublicKey, cursor string) (page, error) {
	params := map[string]any{
		"mint": mint, "limit": pageLimit, "options": map[string]bool{"showZeroBalance": true},
	}
	if cursor != "" {
		params["cursor"] = cursor
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "1", "method": "getTokenAccounts", "params": params})
	if err != nil {
		return page{}, fmt.Errorf("encode the call: %w", err)
	}
	for attempt := 0; ; attempt++ {
		p, err := c.attempt(ctx, mint, body)
		if err == nil || attempt == attempts-1 || c.Pause(ctx, backoff.Pause(attemptPause, time.Second, attempt+1)) != nil {
			return p, err
		}
	}
}

func (c *Client) attempt(ctx context.Context, mint solana.PublicKey, body []byte) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	address, err := c.address(ctx)
	if err == nil {
		err = CheckAddress(address)
	}
	if err != nil {
		return page{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return page{}, hidden(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return page{}, hidden(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return page{}, fmt.Errorf("read the answer: %w", hidden(err))
	}
	if response.StatusCode != http.StatusOK {
		return page{}, fmt.Errorf("status %d", response.StatusCode)
	}
	var answer struct {
		Result page `json:"result"`
		Error  *struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return page{}, fmt.Errorf("decode the answer: %w", hidden(err))
	}
	if answer.Error != nil { // Helius' message may repeat the request and the key.
		return page{}, fmt.Errorf("refused with %d", answer.Error.Code)
	}
	return answer.Result, answer.Result.check(mint)
}

// check returns an error if the page is incomplete or wrong.
func (p page) check(mint solana.PublicKey) error {
	if p.Slot == 0 || p.Accounts == nil {
		return errors.New("the answer has no accounts or no slot")
	}
	if len(*p.Accounts) > pageLimit {
		return fmt.Errorf("the answer has %d accounts", len(*p.Accounts))
	}
	for _, a := range *p.Accounts {
		if a.Address == nil || a.Owner == nil || a.Amount == nil || a.Mint != key(mint) {
			return errors.New("the answer has an account without address, owner or amount, or of another mint")
		}
	}
	return nil
}

// hidden returns only the type of an error, because net/http adds the address to errors. The
// context's errors and httpclient's errors are kept.
func hidden(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, httpclient.ErrTooLong, httpclient.ErrRefused} {
		if errors.Is(err, known) {
			return known
		}
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return fmt.Errorf("%T", err)
}
