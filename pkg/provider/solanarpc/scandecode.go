package solanarpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// scanned is an account of a response. part is valid until the next account.
type scanned struct {
	address solana.PublicKey
	part    []byte
}

// listed is the decoding target of an account. The memory is reused for every account.
type listed struct {
	Pubkey  address `json:"pubkey"`
	Account struct {
		Data partial `json:"data"`
	} `json:"account"`
}

// address is a key in base58, in JSON.
type address struct {
	key solana.PublicKey
	set bool
}

// UnmarshalJSON decodes the address.
func (a *address) UnmarshalJSON(raw []byte) error {
	if len(raw) < 2 || raw[0] != '"' {
		return errors.New("an address is no string")
	}
	key, err := parseKey(string(raw[1 : len(raw)-1]))
	if err != nil {
		return err
	}
	a.key, a.set = key, true
	return nil
}

// maxKeyText is the maximum length of 32 bytes in base58. The limit is checked first, because
// decoding takes time that is quadratic in the length.
const maxKeyText = 44

func parseKey(text string) (solana.PublicKey, error) {
	if len(text) > maxKeyText {
		return solana.PublicKey{}, errors.New("an address is too long")
	}
	return solana.PublicKeyFromBase58(text)
}

// partial is a part of an account's data: [base64, "base64"].
type partial struct {
	bytes []byte
	set   bool
}

const partialBehind = `","base64"]`

// UnmarshalJSON decodes the pair into the memory of the previous pair.
func (p *partial) UnmarshalJSON(raw []byte) error {
	const before = `["`
	if len(raw) < len(before)+len(partialBehind) || string(raw[:len(before)]) != before || string(raw[len(raw)-len(partialBehind):]) != partialBehind {
		var e encoded // for example with spaces
		if err := e.UnmarshalJSON(raw); err != nil {
			return err
		}
		p.bytes, p.set = append(p.bytes[:0], e...), true
		return checkPart(p.bytes)
	}
	text := raw[len(before) : len(raw)-len(partialBehind)]
	decoded, err := base64.StdEncoding.AppendDecode(p.bytes[:0], text)
	if err != nil {
		return fmt.Errorf("account data: %w", err)
	}
	p.bytes, p.set = decoded, true
	return checkPart(p.bytes)
}

func checkPart(b []byte) error {
	if len(b) > token2022.HoldingLength {
		return errors.New("account data is longer than what was asked for")
	}
	return nil
}

// decodeScan decodes a response of getProgramAccounts with a context, in any order of fields. It
// returns an error if the response is incomplete.
func decodeScan(stream *watched, each func(scanned) error) (slot uint64, err error) {
	s := scanDecoder{stream: stream, json: json.NewDecoder(stream), each: each}
	if err := s.fields(s.answer); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	if s.refusal != nil {
		return 0, s.refusal
	}
	if !s.hasSlot || !s.hasAccounts {
		return 0, errors.New("the answer is not one of JSON-RPC with accounts and their slot")
	}
	return s.slot, nil
}

type scanDecoder struct {
	stream *watched
	json   *json.Decoder
	each   func(scanned) error

	slot                 uint64
	hasSlot, hasAccounts bool
	refusal              *rpcError
}

// expect reads a delimiter.
func (s *scanDecoder) expect(want json.Delim) error {
	got, err := s.json.Token()
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("the answer has %v where %s should be", got, want)
	}
	return nil
}

// fields reads an object and calls field with the name of each field. field reads the value.
func (s *scanDecoder) fields(field func(name string) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	for s.json.More() {
		name, err := s.json.Token()
		if err != nil {
			return err
		}
		text, ok := name.(string)
		if !ok {
			return errors.New("the answer has a field without a name")
		}
		if err := field(text); err != nil {
			return err
		}
	}
	return s.expect('}')
}

func (s *scanDecoder) answer(name string) error {
	switch name {
	case "result":
		return s.fields(s.result)
	case "error":
		return s.json.Decode(&s.refusal)
	default:
		return s.skip()
	}
}

func (s *scanDecoder) result(name string) error {
	switch name {
	case "context":
		var context struct {
			Slot *uint64 `json:"slot"`
		}
		if err := s.json.Decode(&context); err != nil {
			return err
		}
		if context.Slot != nil {
			s.slot, s.hasSlot = *context.Slot, true
		}
		return nil
	case "value":
		return s.accounts()
	default:
		return s.skip()
	}
}

func (s *scanDecoder) skip() error {
	var ignored json.RawMessage
	return s.json.Decode(&ignored)
}

func (s *scanDecoder) accounts() error {
	if s.hasAccounts {
		return errors.New("the answer has two lists of accounts")
	}
	if err := s.expect('['); err != nil {
		return err
	}
	if err := s.usual(); err != nil {
		return err
	}
	var one listed
	for s.json.More() {
		one.Pubkey.set, one.Account.Data.set = false, false
		if err := s.json.Decode(&one); err != nil {
			return err
		}
		if !one.Pubkey.set || !one.Account.Data.set {
			return errors.New("the answer has an account without address or data")
		}
		s.stream.since = 0
		if err := s.each(scanned{one.Pubkey.key, one.Account.Data.bytes}); err != nil {
			return err
		}
	}
	s.hasAccounts = true
	return s.expect(']')
}

// usual reads accounts in the usual layout of nodes. encoding/json decodes the rest of the
// response, from the first unusual account on.
func (s *scanDecoder) usual() error {
	u := usualReader{from: io.MultiReader(s.json.Buffered(), s.stream)}
	for {
		one, ok, err := u.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		s.stream.since = 0
		if err := s.each(one); err != nil {
			return err
		}
	}
	// A json.Decoder cannot start in the middle of a response. So the decoder reads the beginning
	// of the response again, with one element in place of the accounts that were read.
	before := `{"result":{"value":[`
	tokens := 5
	if u.read > 0 {
		before += `0`
		tokens++
	}
	s.json = json.NewDecoder(io.MultiReader(strings.NewReader(before), bytes.NewReader(u.rest()), s.stream))
	for range tokens {
		if _, err := s.json.Token(); err != nil {
			return err
		}
	}
	return nil
}
