package ipfs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Kubo pins with a node that serves the Kubo RPC.
type Kubo struct {
	base *url.URL
}

// NewKubo returns a Kubo for the address of the RPC, such as http://127.0.0.1:5001. A user and
// password in the address are sent as basic authentication.
func NewKubo(address string) (Kubo, error) {
	base, err := parseBase(address)
	if err != nil {
		return Kubo{}, fmt.Errorf("the IPFS node: %w", err)
	}
	return Kubo{base: base}, nil
}

// Pin pins the content at the node. If Pin returns nil, the node uses the name cid, which is
// CID(content).
func (k Kubo) Pin(ctx context.Context, cid string, content []byte) error {
	address := at(k.base, "api/v0/add")
	address.RawQuery = url.Values{
		"chunker":             {fmt.Sprintf("size-%d", MaxBytes)},
		"cid-base":            {"base32"},
		"cid-version":         {"1"},
		"hash":                {"sha2-256"},
		"pin":                 {"true"},
		"raw-leaves":          {"true"},
		"wrap-with-directory": {"false"},
	}.Encode()
	answer, err := post(ctx, address, nil, nil, cid, content)
	if err != nil {
		return fmt.Errorf("pin %s with the IPFS node: %w", cid, err)
	}
	lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n"))
	var added struct {
		Hash string `json:"Hash"`
	}
	if err := json.Unmarshal(lines[len(lines)-1], &added); err != nil {
		return fmt.Errorf("pin %s with the IPFS node: read the answer: %w", cid, err)
	}
	if err := compare(cid, added.Hash); err != nil {
		return fmt.Errorf("pin with the IPFS node: %w", err)
	}
	return nil
}

// Unpin removes the pin of cid. Removing a missing pin is not an error.
func (k Kubo) Unpin(ctx context.Context, cid string) error {
	address := at(k.base, "api/v0/pin/rm")
	address.RawQuery = url.Values{"arg": {cid}}.Encode()
	_, err := call(ctx, http.MethodPost, address, nil, nil)
	if refused, ok := errors.AsType[*refusedError](err); ok && strings.Contains(refused.says, "not pinned") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("unpin %s at the IPFS node: %w", cid, err)
	}
	return nil
}
