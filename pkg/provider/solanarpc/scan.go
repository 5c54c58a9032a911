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
	// scanTimeout is the maximum wait for the first byte. A node searches all accounts of a program
	// before the node responds.
	scanTimeout = 2 * time.Minute
	// stallTimeout is the maximum wait for further bytes.
	stallTimeout = 20 * time.Second
	// tokenAccountLength is the length of every account of the older token program (spl-token,
	// Account::LEN).
	tokenAccountLength = 165
)

// TokenAccounts calls each for every token account of a mint in the given state, as of one
// finalized slot at or after from, and stops with the error of each. The response is streamed, so
// memory is bounded by one account, no matter how many accounts the mint has. TokenAccounts makes
// only one attempt, because each has already received accounts before a failure. The context bounds
// the total duration. A stalled stream and an incomplete stream are errors. Accounts of the program
// that are not token accounts are skipped.
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

// listFilters returns filters for the token accounts of a mint. Agave uses the index of mints only
// if a second filter excludes other accounts of the program. Without a second filter, the node
// scans every account of the program (solana-rpc, get_spl_token_mint_filter). A Token-2022 mint
// that requires no extension of accounts has accounts of 165 bytes and longer accounts, so no
// second filter selects all accounts.
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

// errStalled is returned if a node stops sending in the middle of a response.
var errStalled = errors.New("the node stalls")

// scan makes the call and streams the response, until each returns errEnough.
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

// elementLimit is the maximum number of bytes between two accounts of a response. An account takes
// less than 2 KiB, and the reader reads ahead.
const elementLimit = 1 << 20

// watched is the body of a response. It fails if bytes stop arriving, or if too many bytes arrive
// without an account.
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
