package solanarpc

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/snapshot"
)

// Programs returns the programs that own the accounts, finalized, as of the given slot or a later
// slot. It accepts at most snapshot.MaxPrograms addresses. The owner of a missing account is the
// System program. It returns an apperr.Upstream if the node has not reached the slot.
func (c *Client) Programs(ctx context.Context, addresses []solana.PublicKey, from uint64) ([]solana.PublicKey, error) {
	if len(addresses) > snapshot.MaxPrograms {
		return nil, fmt.Errorf("look up the programs of %d accounts: at most %d at once", len(addresses), snapshot.MaxPrograms)
	}
	var result programs
	err := c.call(ctx, &result, "getMultipleAccounts", keyList(addresses), object{
		"commitment": Finalized, "encoding": "base64", "dataSlice": object{"offset": 0, "length": 0},
	})
	if err != nil {
		return nil, err
	}
	if len(result.owners) != len(addresses) {
		return nil, apperr.Upstream(upstream, fmt.Errorf("getMultipleAccounts answers %d of %d accounts", len(result.owners), len(addresses)))
	}
	if result.slot < from {
		return nil, apperr.Upstream(upstream, fmt.Errorf("look up the programs of accounts: the node is in slot %d, before %d", result.slot, from))
	}
	return result.owners, nil
}

// keyList returns a list of addresses in JSON.
func keyList(addresses []solana.PublicKey) json.RawMessage {
	list := make([]byte, 0, len(addresses)*(base58.EncodedMaxLen32+len(`"",`))+len(`[]`))
	for i := range addresses {
		separator := byte(',')
		if i == 0 {
			separator = '['
		}
		list = append(base58.AppendEncode32(append(list, separator, '"'), (*[32]byte)(&addresses[i])), '"')
	}
	if len(list) == 0 {
		list = append(list, '[')
	}
	return append(list, ']')
}

// programs is a result of getMultipleAccounts: the programs that own the accounts. The owner of a
// missing account is the System program.
type programs struct {
	slot   uint64
	owners []solana.PublicKey
}

// UnmarshalJSON decodes the result. encoding/json decodes a result in an unusual layout.
func (p *programs) UnmarshalJSON(raw []byte) error {
	if p.usual(raw) {
		return nil
	}
	var result contextual[[]*struct {
		Owner solana.PublicKey `json:"owner"`
	}]
	if err := json.Unmarshal(raw, &result); err != nil {
		return err
	}
	*p = programs{slot: result.Context.Slot, owners: make([]solana.PublicKey, len(result.Value))}
	for i, account := range result.Value {
		if account != nil {
			p.owners[i] = account.Owner
		}
	}
	return nil
}

// usual reads a result in the usual layout of nodes: the slot first, then the accounts, with known
// fields only. ok is false for any other layout.
func (p *programs) usual(raw []byte) (ok bool) {
	t := cursor{text: raw}
	*p = programs{slot: t.context(), owners: make([]solana.PublicKey, 0, snapshot.MaxPrograms)}
	t.take(',')
	t.hold(string(t.plain()) == "value")
	t.take(':')
	for next := byte('['); t.state == whole; next = ',' {
		t.take(next)
		if t.peek() == 'n' {
			t.scalar()
			p.owners = append(p.owners, solana.PublicKey{})
		} else {
			p.owners = append(p.owners, t.program())
		}
		if t.peek() == ']' {
			return t.state == whole && string(raw[t.at:]) == `]}`
		}
	}
	return false
}

// context reads the beginning of a result and returns the slot of the result.
func (t *cursor) context() (slot uint64) {
	t.take('{')
	t.hold(string(t.plain()) == "context")
	t.take(':')
	var found bool
	t.fields(func(name []byte) {
		switch string(name) {
		case "slot":
			t.hold(!found)
			slot, found = t.number(), true
		case "apiVersion":
			t.plain()
		default:
			t.hold(false)
		}
	})
	t.hold(found)
	return slot
}

// program reads an account without data, and returns the program that owns the account.
func (t *cursor) program() (owner solana.PublicKey) {
	var data, found bool
	t.fields(func(name []byte) {
		switch string(name) {
		case "owner":
			err := base58.Decode32(string(t.plain()), (*[32]byte)(&owner))
			t.hold(err == nil && !found)
			found = true
		case "data":
			t.hold(!data)
			t.take('[')
			t.plain()
			t.take(',')
			t.plain()
			t.take(']')
			data = true
		case "lamports", "executable", "rentEpoch", "space":
			t.scalar()
		default:
			t.hold(false)
		}
	})
	t.hold(found)
	return owner
}
