package solanarpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

const (
	// scanTimeout bounds the wait for the first byte: a node looks through all
	// accounts of a program before it answers.
	scanTimeout = 2 * time.Minute
	// stallTimeout bounds the wait for further bytes.
	stallTimeout = 20 * time.Second
	// tokenAccountLength is that of every account of the older token program
	// (spl-token, Account::LEN).
	tokenAccountLength = 165
)

// TokenAccounts gives every token account of a mint in the given state to each, as of
// one finalized slot that is not before from, and stops with the error of each. The answer is
// decoded as it comes: memory is bounded by one account, whatever their number. It is
// tried once, for accounts have been given away when it fails; the context bounds
// how long it takes in all, and a stream that stalls is an error, as is one that
// ends early. Accounts of the program that are not token accounts are left out.
func (c *Client) TokenAccounts(
	ctx context.Context, mint solana.PublicKey, state token2022.Mint, from uint64, each func(snapshot.Account) error,
) (snapshot.Span, error) {
	program := state.Program
	config := object{
		"commitment": Finalized, "encoding": "base64", "withContext": true, "filters": listFilters(mint, state),
		"dataSlice": object{"offset": token2022.HoldingOffset, "length": token2022.HoldingLength},
	}
	if from > 0 {
		config["minContextSlot"] = from
	}
	const method = "getProgramAccounts"
	body, err := encodeCall(method, program, config)
	if err != nil {
		return snapshot.Span{}, err
	}
	var refusedByEach error
	slot, err := c.scan(ctx, body, func(a scanned) error {
		holding, err := token2022.DecodeHolding(program, a.part)
		if err != nil {
			return nil
		}
		refusedByEach = each(snapshot.Account{
			Address: a.address, Owner: holding.Owner, Amount: holding.Amount,
			Withheld: holding.Withheld, Frozen: holding.Frozen,
		})
		return refusedByEach
	})
	var refusal *rpcError
	switch {
	case err == nil:
		return snapshot.Span{First: slot, Last: slot}, nil
	case refusedByEach != nil:
		return snapshot.Span{}, refusedByEach
	case errors.As(err, &refusal) && !refusal.passing():
		return snapshot.Span{}, fmt.Errorf("%s of %s: %w", method, mint, err)
	default:
		return snapshot.Span{}, apperr.Upstream(upstream, fmt.Errorf("%s of %s: %w", method, mint, err))
	}
}

// listFilters selects the token accounts of a mint. Agave finds them by its index of
// mints only if a second filter excludes other accounts of the program; without it, the
// node walks through every account of the program (solana-rpc,
// get_spl_token_mint_filter). Accounts of a Token-2022 mint that forces no extension on
// them are 165 bytes long or longer, so no such filter selects them all.
func listFilters(mint solana.PublicKey, state token2022.Mint) []object {
	filters := []object{{"memcmp": object{"offset": 0, "bytes": mint.String()}}}
	switch {
	case state.Program == solana.TokenProgramID:
		return append(filters, object{"dataSize": tokenAccountLength})
	case state.ExtendsAccounts():
		return append(filters, object{"memcmp": object{
			"offset": token2022.AccountTypeOffset, "bytes": base58.Encode([]byte{token2022.AccountTypeAccount}),
		}})
	}
	return filters
}

// errStalled appears when a node stops answering in the middle.
var errStalled = errors.New("the node stalls")

// scan makes the call and reads its answer as it comes, until each gives errEnough.
func (c *Client) scan(ctx context.Context, body []byte, each func(scanned) error) (slot uint64, err error) {
	net, err := c.roster.network(ctx)
	if err != nil {
		return 0, err
	}
	node, caller := net.preferred()[0], ctx
	defer func() { node.note(caller, err) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(scanTimeout, func() { cancel(errStalled) })
	defer watch.Stop()
	defer func() {
		if err != nil && errors.Is(context.Cause(ctx), errStalled) {
			err = errStalled
		}
	}()
	if err := c.identify(ctx, node); err != nil {
		return 0, err
	}
	response, err := c.post(ctx, node, body)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	stream := &watched{r: response.Body, watch: watch, hidden: net.hidden}
	slot, err = decodeScan(stream, each)
	if refusal, ok := errors.AsType[*rpcError](err); ok {
		refusal.Message = net.hidden.Text(refusal.Message)
		return 0, refusal
	}
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", response.StatusCode)
	}
	if errors.Is(err, errEnough) {
		return 0, nil
	}
	return slot, err
}

// elementLimit bounds what is read between two accounts of an answer, in bytes: an
// account takes under 2 KiB, and the reader reads ahead.
const elementLimit = 1 << 20

// watched is the body of an answer: each of its bytes comes soon after the last, and
// not too many without an account among them.
type watched struct {
	r      io.Reader
	watch  *time.Timer
	hidden secret.Redactor
	since  int // bytes since the last account
}

func (w *watched) Read(p []byte) (int, error) {
	if w.since > elementLimit {
		return 0, fmt.Errorf("over %d bytes without an account", elementLimit)
	}
	n, err := w.r.Read(p)
	w.watch.Reset(stallTimeout)
	w.since += n
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("read the answer: %w", w.hidden.Error(err))
	}
	return n, err
}
