package marketmaker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	rfq "tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/provider/rest"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// maxRequest bounds a request, in bytes: a message in base64 and its ID.
const maxRequest = 8 << 10

// answer returns the HTTP handler for a call. The handler responds with 422 and a code for a
// refusal, and with 500 for an error.
func answer[Request, Answer any](call func(context.Context, Request) (Answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request Request
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&request); err != nil {
			write(w, http.StatusBadRequest, map[string]string{"code": rfq.CodeBadInput, "message": err.Error()})
			return
		}
		result, err := call(r.Context(), request)
		if no, ok := errors.AsType[*refusal](err); ok {
			write(w, http.StatusUnprocessableEntity, map[string]string{"code": no.code, "message": no.message})
			return
		}
		if err != nil {
			write(w, http.StatusInternalServerError, map[string]string{"message": err.Error()})
			return
		}
		write(w, http.StatusOK, result)
	}
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // An error means that the caller is gone.
}

func (m *Maker) quote(ctx context.Context, request rfq.QuoteRequest) (rfq.QuoteAnswer, error) {
	wallet, walletErr := rest.ParseKey(request.Wallet)
	input, inputErr := rest.ParseKey(request.InputMint)
	amount, amountErr := rest.ParseAmount(request.Amount)
	output, outputErr := terms.ParseAsset(request.Output)
	if err := errors.Join(walletErr, inputErr, amountErr, outputErr); err != nil {
		return rfq.QuoteAnswer{}, refuse(rfq.CodeBadInput, "%v", err)
	}
	a := &agreement{trade: trade{wallet, input, amount, output}, until: m.Now().Add(m.Validity)}
	var err error
	if a.priced, err = m.price(ctx, a.trade); err != nil {
		return rfq.QuoteAnswer{}, err
	}
	id := uuid.NewString()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for old, q := range m.quotes {
		if !m.Now().Before(q.until) {
			delete(m.quotes, old)
		}
	}
	m.quotes[id] = a
	return rfq.QuoteAnswer{
		ID: id, Amount: request.Amount, Out: rest.FormatAmount(a.out), MinimumOut: rest.FormatAmount(a.out),
		PriceImpactBps: a.impactBps, ValidUntil: a.until,
	}, nil
}

func (m *Maker) swap(_ context.Context, request rfq.SwapRequest) (rfq.SwapAnswer, error) {
	a, err := m.agreed(request.ID)
	if err != nil {
		return rfq.SwapAnswer{}, err
	}
	out := rfq.SwapAnswer{Signer: m.Address.String(), ComputeUnits: a.units}
	for _, move := range m.given(a) {
		encoded, err := rest.Encode(move)
		if err != nil {
			return rfq.SwapAnswer{}, err
		}
		out.Instructions = append(out.Instructions, encoded)
	}
	return out, nil
}

// given returns the instructions that the maker returns to the wallet.
func (m *Maker) given(a *agreement) []solana.Instruction {
	if m.Tamper != nil {
		return m.Tamper(slices.Clone(a.moves))
	}
	return a.moves
}

func (m *Maker) sign(_ context.Context, request rfq.SignRequest) (rfq.SignAnswer, error) {
	a, err := m.agreed(request.ID)
	if err != nil {
		return rfq.SignAnswer{}, err
	}
	message, err := wire.ParseMessage(request.Message)
	if err != nil {
		return rfq.SignAnswer{}, refuse(rfq.CodeBadInput, "%v", err)
	}
	if m.Refuse {
		return rfq.SignAnswer{}, refuse(rfq.CodeRefused, "not today")
	}
	if why := m.holds(message, a); why != "" {
		return rfq.SignAnswer{}, refuse(rfq.CodeRefused, "%s", why)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if receipt := receiptOf(message); a.receipt == nil {
		a.receipt = &receipt
	} else if *a.receipt != receipt {
		return rfq.SignAnswer{}, refuse(rfq.CodeRefused, "the quote is signed with another receipt")
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(m.key); err != nil {
		return rfq.SignAnswer{}, refuse(rfq.CodeRefused, "%v", err)
	}
	signature, _ := tx.Signature(m.Address)
	return rfq.SignAnswer{Signature: signature.String()}, nil
}

// holds returns the reason why a message is not the agreed message, or "". The wallet may create a
// receipt and set the compute budget.
func (m *Maker) holds(message wire.Message, a *agreement) string {
	if message.FeePayer() != a.wallet {
		return "the wallet does not pay the fee"
	}
	list := message.Instructions()
	if !receiptOf(message).IsZero() {
		list = list[1:]
	}
	for len(list) > 0 && list[0].ProgramID == solana.ComputeBudget {
		list = list[1:]
	}
	agreed := m.given(a)
	if len(list) != len(agreed) {
		return "the message has other instructions than agreed"
	}
	for i, in := range list {
		if !same(in, agreed[i]) {
			return "the message has other instructions than agreed"
		}
	}
	return ""
}

// receiptOf returns the account that a message's first instruction creates with only the payer's
// signature, or zero.
func receiptOf(message wire.Message) solana.PublicKey {
	first := message.Instructions()[0]
	c, err := systemprogram.DecodeCreateAccountWithSeed(first.Keys(), first.Data)
	if first.ProgramID != solana.SystemProgramID || err != nil || c.Payer != message.FeePayer() || c.Base != c.Payer {
		return solana.PublicKey{}
	}
	return c.Account
}

func same(in wire.Instruction, agreed solana.Instruction) bool {
	data, err := agreed.Data()
	if err != nil || in.ProgramID != agreed.ProgramID() || !slices.Equal(in.Data, data) || len(in.Accounts) != len(agreed.Accounts()) {
		return false
	}
	for i, meta := range agreed.Accounts() {
		if in.Accounts[i].PublicKey != meta.PublicKey {
			return false
		}
	}
	return true
}
