package ipfs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// PinataAPI is the address of Pinata's pinning API (docs.pinata.cloud).
const PinataAPI = "https://api.pinata.cloud"

// Pinata pins with Pinata.
type Pinata struct {
	base  *url.URL
	token string
}

// NewPinata takes the address of the API, PinataAPI but for tests, and the JWT
// that Pinata issued.
func NewPinata(address, token string) (Pinata, error) {
	base, err := parseBase(address)
	if err != nil {
		return Pinata{}, fmt.Errorf("the pinning service Pinata: %w", err)
	}
	token = strings.TrimSpace(token)
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return Pinata{}, errors.New("the token for Pinata is empty or has spaces in it")
	}
	return Pinata{base: base, token: token}, nil
}

// Pin has the content pinned by Pinata. A nil error promises that Pinata calls it
// cid, which is CID(content).
func (p Pinata) Pin(ctx context.Context, cid string, content []byte) error {
	metadata, err := json.Marshal(map[string]string{"name": cid})
	if err != nil {
		return fmt.Errorf("pin %s with Pinata: %w", cid, err)
	}
	fields := []field{
		{"pinataMetadata", string(metadata)},
		{"pinataOptions", `{"cidVersion":1,"wrapWithDirectory":false}`},
	}
	header := http.Header{"Authorization": {"Bearer " + p.token}}
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

// String hides the token from whatever prints the struct.
func (p Pinata) String() string { return "Pinata at " + p.base.Host }
