package solanarpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// MaxMints is the maximum number of token accounts that are read of a wallet: about 6 MB. Anyone
// can create token accounts for a wallet by paying the rent.
const MaxMints = 20_000

// mintsWithin is the timeout of one attempt to read a wallet's token accounts.
const mintsWithin = 6 * time.Second

// errEnough ends the reading of a response early.
var errEnough = errors.New("enough was read")

// MintsOf returns the mints for which a wallet has confirmed token accounts of Token-2022,
// ascending and without duplicates, including empty accounts. The response is streamed. After
// MaxMints accounts the reading stops, and complete is false.
func (c *Client) MintsOf(ctx context.Context, wallet solana.PublicKey) (mints []solana.PublicKey, complete bool, err error) {
	const method = "getTokenAccountsByOwner"
	body, err := encodeCall(method, wallet, object{"programId": solana.Token2022ProgramID}, object{
		"commitment": Confirmed, "encoding": "base64", "dataSlice": object{"offset": 0, "length": solana.PublicKeyLength},
	})
	if err != nil {
		return nil, false, err
	}
	for attempt := 0; ; attempt++ {
		if mints, complete, err = c.readMints(ctx, body); err == nil {
			break
		}
		var refusal *rpcError
		switch {
		case errors.As(err, &refusal) && !refusal.passing():
			return nil, false, apperr.Upstream(upstream, fmt.Errorf("%s of %s: %w", method, wallet, err))
		case attempt == 1 || c.Pause(ctx, pauses[0]) != nil:
			return nil, false, apperr.Upstream(upstream, fmt.Errorf("%s of %s: %w", method, wallet, err))
		}
	}
	slices.SortFunc(mints, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(mints), complete, nil
}

func (c *Client) readMints(ctx context.Context, body []byte) (mints []solana.PublicKey, complete bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, mintsWithin)
	defer cancel()
	complete = true
	_, err = c.scan(ctx, body, func(a scanned) error {
		if len(mints) == MaxMints {
			complete = false
			return errEnough
		}
		if len(a.part) != solana.PublicKeyLength {
			return fmt.Errorf("a token account with %d bytes of its mint", len(a.part))
		}
		mints = append(mints, solana.PublicKey(a.part))
		return nil
	})
	return mints, complete, err
}
