package ipfs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tokenlaunch.example/service/pkg/platform/secret"
)

// PinataAPI is the address of Pinata's pinning API (docs.pinata.cloud).
const PinataAPI = "https://api.pinata.cloud"

// Pinata pins with Pinata.
type Pinata struct {
	base  *url.URL
	token secret.Source
}

// NewPinata returns a Pinata for the address of the API, which is PinataAPI except in tests, and a
// source of the JWT that Pinata issued.
func NewPinata(address string, token secret.Source) (Pinata, error) {
	base, err := parseBase(address)
	if err != nil {
		return Pinata{}, fmt.Errorf("the pinning service Pinata: %w", err)
	}
	if token == nil {
		return Pinata{}, errors.New("the pinning service Pinata: there is no token")
	}
	return Pinata{base: base, token: token}, nil
}

// CheckToken checks a token for Pinata. The error does not show the token.
func CheckToken(token string) error {
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return errors.New("the token for Pinata is empty or has spaces in it")
	}
	return nil
}

// Pin pins the content at Pinata. If Pin returns nil, Pinata uses the name cid, which is
// CID(content).
func (p Pinata) Pin(ctx context.Context, cid string, content []byte) error {
	header, err := p.header(ctx)
	if err != nil {
		return fmt.Errorf("pin %s with Pinata: %w", cid, err)
	}
	metadata, err := json.Marshal(map[string]string{"name": cid})
	if err != nil {
		return fmt.Errorf("pin %s with Pinata: %w", cid, err)
	}
	fields := []field{
		{"pinataMetadata", string(metadata)},
		{"pinataOptions", `{"cidVersion":1,"wrapWithDirectory":false}`},
	}
	answer, err := post(ctx, at(p.base, "pinning/pinFileToIPFS"), header, fields, cid, content)
	if err != nil {
		return fmt.Errorf("pin %s with Pinata: %w", cid, err)
	}
	var pinned struct {
		Hash string `json:"IpfsHash"`
	}
	if err := json.Unmarshal(answer, &pinned); err != nil {
		return fmt.Errorf("pin %s with Pinata: read the answer: %w", cid, err)
	}
	if err := compare(cid, pinned.Hash); err != nil {
		return fmt.Errorf("pin with Pinata: %w", err)
	}
	return nil
}

// notPinned is Pinata's error code if the account has no pin of a content.
const notPinned = "CURRENT_USER_HAS_NOT_PINNED_CID"

// Unpin removes the pin of cid. Removing a missing pin is not an error.
func (p Pinata) Unpin(ctx context.Context, cid string) error {
	header, err := p.header(ctx)
	if err == nil {
		_, err = call(ctx, http.MethodDelete, at(p.base, "pinning/unpin", cid), header, nil)
	}
	if refused, ok := errors.AsType[*refusedError](err); ok && strings.Contains(refused.says, notPinned) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("unpin %s at Pinata: %w", cid, err)
	}
	return nil
}

// header returns the headers that authorize a call.
func (p Pinata) header(ctx context.Context) (http.Header, error) {
	token, err := p.token(ctx)
	if err == nil {
		err = CheckToken(token)
	}
	return http.Header{"Authorization": {"Bearer " + token}}, err
}

// String hides the token if the struct is printed.
func (p Pinata) String() string { return "Pinata at " + p.base.Host }
