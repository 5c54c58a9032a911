package peertest_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// raydiumEncoded is the encoding of a case by Raydium's client.
type raydiumEncoded struct {
	Instruction *peertest.Instruction
	Message     string // base64
	Addresses   *struct {
		Config, Authority, Pool, LPMint, Observation solana.PublicKey
		Vaults                                       [2]solana.PublicKey
	}
	Quote *raydiumQuote
	Error string
}

// pairCase is a token and wrapped SOL on one of the networks, in either order.
type pairCase struct {
	network   raydium.Network
	addresses raydium.Addresses
	program   solana.PublicKey // the token's
	fields    peertest.Case
}

func newPair(t *testing.T, g generator) pairCase {
	t.Helper()
	p := pairCase{network: raydium.Mainnet, program: solana.Token2022ProgramID}
	if g.IntN(2) == 0 {
		p.network = raydium.Devnet
	}
	if g.IntN(3) == 0 {
		p.program = solana.TokenProgramID
	}
	mint := g.key()
	mint[0] = byte(g.IntN(2) * 0x80) // wrapped SOL begins with 0x06
	var err error
	if p.addresses, err = p.network.Addresses(mint); err != nil {
		t.Fatal(err)
	}
	p.fields = peertest.Case{
		"program": p.network.Program, "config": p.network.Config,
		"mints": p.ordered(mint, solana.WrappedSol), "programs": p.ordered(p.program, solana.TokenProgramID),
	}
	return p
}

// ordered puts what is the token's and what is wrapped SOL's into the order of the
// mints' bytes, which is found here a second time.
func (p pairCase) ordered(token, sol any) [2]any {
	if bytes.Compare(p.addresses.Token[:], solana.WrappedSol[:]) < 0 {
		return [2]any{token, sol}
	}
	return [2]any{sol, token}
}

func TestRaydiumInstructionsEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(11)
	var ours []solana.Instruction
	var payers []solana.PublicKey
	var cases []peertest.Case
	for i := range 3 * 60 {
		p := newPair(t, g)
		who, tokenAccount, solAccount := g.key(), g.key(), g.key()
		c := p.fields
		c["accounts"] = p.ordered(tokenAccount, solAccount)
		a, b := g.u64(), g.u64()
		c["amounts"] = [2]string{u64(a), u64(b)}
		token, sol := p.addresses.Sides(tokenAccount, p.program, solAccount)
		shared := raydium.Swap{
			Network: p.network, Trader: who, Authority: p.addresses.Authority, Pool: p.addresses.Pool,
			Observation: p.addresses.Observation, In: token, Out: sol,
		}
		tokenIn := g.IntN(2) == 0
		if !tokenIn {
			shared.In, shared.Out = sol, token
		}
		c["tokenIn"] = 0
		if tokenIn != p.addresses.TokenFirst {
			c["tokenIn"] = 1
		}
		c["trader"], c["creator"] = who, who
		switch i % 3 {
		case 0:
			in := raydium.Initialize{
				Network: p.network, Addresses: p.addresses, Creator: who, TokenProgram: p.program,
				TokenAccount: tokenAccount, SOLAccount: solAccount, LPAccount: g.key(), TokenAmount: a, Lamports: b, OpenTime: g.u64(),
			}
			amounts := p.ordered(u64(a), u64(b))
			c["kind"], c["shares"], c["feeReceiver"], c["openTime"], c["amounts"] = "initialize", in.LPAccount, p.network.FeeReceiver, u64(in.OpenTime), amounts
			ours = append(ours, in.Instruction())
		case 1:
			c["kind"] = "swapBaseInput"
			ours = append(ours, raydium.SwapBaseInput{Swap: shared, AmountIn: a, MinimumOut: b}.Instruction())
		case 2:
			c["kind"] = "swapBaseOutput"
			ours = append(ours, raydium.SwapBaseOutput{Swap: shared, MaximumIn: a, AmountOut: b}.Instruction())
		}
		payers, cases = append(payers, who), append(cases, c)
	}
	var results []raydiumEncoded
	peertest.Raydium(t, cases, &results)
	for i, got := range results {
		if got.Instruction == nil {
			t.Fatalf("%v: the client refused: %s", cases[i], got.Error)
		}
		want := describe(t, ours[i])
		if cases[i]["kind"] == "initialize" {
			// The program wants its creator writable, who pays. The client says read-only,
			// which makes no difference while the creator pays the fee, too.
			want.Accounts[0].Role--
		}
		if !reflect.DeepEqual(want, *got.Instruction) {
			t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], want, *got.Instruction)
		}
		message, err := wire.Compile(payers[i], solana.Hash(payers[i]), []solana.Instruction{ours[i]})
		if err != nil {
			t.Fatal(err)
		}
		if text := base64.StdEncoding.EncodeToString(message.Bytes()); text != got.Message {
			t.Errorf("%v: the message\n ours  %s\n peers %s", cases[i], text, got.Message)
		}
	}
}

func TestRaydiumAddressesEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(12)
	var pairs []pairCase
	var cases []peertest.Case
	for range 40 {
		p := newPair(t, g)
		p.fields["kind"] = "addresses"
		pairs, cases = append(pairs, p), append(cases, p.fields)
	}
	var results []raydiumEncoded
	peertest.Raydium(t, cases, &results)
	for i, got := range results {
		a := pairs[i].addresses
		if got.Addresses == nil {
			t.Fatalf("%v: the client refused: %s", cases[i], got.Error)
		}
		vaults := [2]solana.PublicKey{a.SOLVault, a.TokenVault}
		if a.TokenFirst {
			vaults = [2]solana.PublicKey{a.TokenVault, a.SOLVault}
		}
		if got.Addresses.Config != pairs[i].network.Config || got.Addresses.Authority != a.Authority || got.Addresses.Pool != a.Pool ||
			got.Addresses.LPMint != a.LPMint || got.Addresses.Observation != a.Observation || got.Addresses.Vaults != vaults {
			t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], a, got.Addresses)
		}
	}
}

// raydiumQuote is a quote, of the client's arithmetic or ours.
type raydiumQuote struct {
	Sent, TaxIn, Received, TaxOut              string
	TradeFee, ProtocolFee, FundFee, CreatorFee string
}

func newRaydiumQuote(q cpmm.Quote) raydiumQuote {
	return raydiumQuote{
		Sent: u64(q.Sent), TaxIn: u64(q.TaxIn), Received: u64(q.Received), TaxOut: u64(q.TaxOut), TradeFee: u64(q.Swap.TradeFee),
		ProtocolFee: u64(q.Swap.ProtocolFee), FundFee: u64(q.Swap.FundFee), CreatorFee: u64(q.Swap.CreatorFee),
	}
}

// quoteCase is a state of a pool and a trade.
type quoteCase struct {
	state    cpmm.State
	sale     bool
	exactOut bool
	amount   uint64
}

func newQuoteCase(t *testing.T, g generator) quoteCase {
	t.Helper()
	p := newPair(t, g)
	tax := func() token2022.TransferFee {
		return token2022.TransferFee{BasisPoints: uint16(g.IntN(10_000)), MaximumFee: g.u64()}
	}
	c := quoteCase{sale: g.IntN(2) == 0, exactOut: g.IntN(2) == 0}
	c.state = cpmm.State{
		Config: raydium.DefaultConfig,
		Token:  market.Mint{Address: p.addresses.Token, Program: p.program},
		Epoch:  uint64(g.IntN(3)) + 9, Now: time.Unix(1, 0),
		TokenVault: g.Uint64()>>g.IntN(50) | 1<<10, SOLVault: g.Uint64()>>g.IntN(50) | 1<<10,
	}
	if p.program == solana.Token2022ProgramID && g.IntN(4) > 0 {
		newer := tax()
		newer.Epoch = 10
		c.state.Token.Fee = &token2022.TransferFeeConfig{Older: tax(), Newer: newer}
	}
	c.state.Pool.Mints = [2]solana.PublicKey{solana.WrappedSol, p.addresses.Token}
	if p.addresses.TokenFirst {
		c.state.Pool.Mints = [2]solana.PublicKey{p.addresses.Token, solana.WrappedSol}
	}
	if g.IntN(2) == 0 { // another configuration, some with a creator's fee
		c.state.Config.TradeFeeRate = uint64(g.IntN(100_000) + 1)
		c.state.Config.ProtocolFeeRate, c.state.Config.FundFeeRate = uint64(g.IntN(500_000)), uint64(g.IntN(500_000))
		c.state.Config.CreatorFeeRate = uint64(g.IntN(50_000))
		c.state.Pool.HasCreatorFee = g.IntN(3) > 0
		c.state.Pool.CreatorFeeOn = raydium.CreatorFeeOn(g.IntN(3))
	}
	from, into := c.state.SOLVault, c.state.TokenVault
	if c.sale {
		from, into = into, from
	}
	if c.amount = g.Uint64() % (from/2 + 1); c.exactOut {
		c.amount = g.Uint64() % (into + into/8)
	}
	c.amount++
	return c
}

// creatorOnInput reports whether the creator's fee is taken of what comes in: computed here a
// second time.
func (c quoteCase) creatorOnInput() bool {
	first := (c.state.Pool.Mints[0] == solana.WrappedSol) != c.sale // token 0 comes in
	on := c.state.Pool.CreatorFeeOn
	return on == raydium.CreatorFeeOnInput || first == (on == raydium.CreatorFeeOnToken0)
}

func (c quoteCase) peers() peertest.Case {
	fee := func(f token2022.TransferFee) map[string]any {
		return map[string]any{"epoch": u64(f.Epoch), "maximumFee": u64(f.MaximumFee), "transferFeeBasisPoints": f.BasisPoints}
	}
	var tax any
	if f := c.state.Token.Fee; f != nil {
		tax = map[string]any{"olderTransferFee": fee(f.Older), "newerTransferFee": fee(f.Newer)}
	}
	taxes, reserves := [2]any{nil, tax}, [2]string{u64(c.state.SOLVault), u64(c.state.TokenVault)}
	if c.sale {
		taxes, reserves = [2]any{tax, nil}, [2]string{reserves[1], reserves[0]}
	}
	creator := c.state.Config.CreatorFeeRate
	if !c.state.Pool.HasCreatorFee {
		creator = 0
	}
	out := peertest.Case{
		"kind": "exactIn", "amount": u64(c.amount), "taxes": taxes, "reserves": reserves, "epoch": c.state.Epoch,
		"tradeFeeRate": u64(c.state.Config.TradeFeeRate), "protocolFeeRate": u64(c.state.Config.ProtocolFeeRate),
		"fundFeeRate": u64(c.state.Config.FundFeeRate), "creatorFeeRate": u64(creator), "creatorFeeOnInput": c.creatorOnInput(),
	}
	if c.exactOut {
		out["kind"] = "exactOut"
	}
	return out
}

func (c quoteCase) ours() (cpmm.Quote, error) {
	switch {
	case c.sale && c.exactOut:
		return c.state.SellExactly(c.amount)
	case c.sale:
		return c.state.Sell(c.amount)
	case c.exactOut:
		return c.state.BuyExactly(c.amount)
	default:
		return c.state.Buy(c.amount)
	}
}

// The client's quotes are ours, except for two things. It still takes the fee of pool
// and creator apart and rounds both up, where the program, since the audit of
// November 2025, rounds up their sum: where a creator's fee is taken of an exact
// input the client can be a unit off. And it has no bounds: it answers what no
// account can hold, and what a pool does not have.
func TestRaydiumQuotesEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(13)
	quotes := make([]quoteCase, 1_200)
	cases := make([]peertest.Case, len(quotes))
	for i := range quotes {
		quotes[i] = newQuoteCase(t, g)
		cases[i] = quotes[i].peers()
	}
	var results []raydiumEncoded
	peertest.Raydium(t, cases, &results)
	counts := map[string]int{}
	for i, got := range results {
		c := quotes[i]
		ours, err := c.ours()
		switch {
		case err != nil:
			if !errors.Is(err, cpmm.ErrTooSmall) && !errors.Is(err, cpmm.ErrTooLarge) {
				t.Errorf("%v: %v", cases[i], err)
			}
			if got.Quote != nil && got.Quote.possible(c) {
				t.Errorf("%v: we say %v\n peers %+v", cases[i], err, *got.Quote)
			}
			counts["refused"]++
		case got.Quote == nil:
			t.Errorf("%v: the client refused: %s; ours %+v", cases[i], got.Error, ours)
		case !c.exactOut && c.creatorOnInput() && c.state.Pool.HasCreatorFee && c.state.Config.CreatorFeeRate > 0:
			counts["with a creator's fee of an exact input"]++
			if !withinAUnit(ours.Swap.TradeFee, got.Quote.TradeFee) || !withinAUnit(ours.Swap.CreatorFee, got.Quote.CreatorFee) {
				t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], newRaydiumQuote(ours), *got.Quote)
			}
		case newRaydiumQuote(ours) != *got.Quote:
			t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], newRaydiumQuote(ours), *got.Quote)
		default:
			counts["equal"]++
		}
	}
	t.Logf("%v", counts)
	if counts["equal"] < 600 {
		t.Errorf("only %d quotes were compared to the last unit", counts["equal"])
	}
}

// possible reports whether a quote of the client's is one that the program could execute:
// both amounts are there and fit an account, and the pool has what goes out. It
// ignores what the token's tax makes impossible.
func (q raydiumQuote) possible(c quoteCase) bool {
	sent, sentOK := new(big.Int).SetString(q.Sent, 10)
	received, receivedOK := new(big.Int).SetString(q.Received, 10)
	if !sentOK || !receivedOK || sent.Sign() <= 0 || received.Sign() <= 0 || !sent.IsUint64() || !received.IsUint64() {
		return false
	}
	taxOut, _ := new(big.Int).SetString(q.TaxOut, 10)
	reserve := c.state.TokenVault
	if c.sale {
		reserve = c.state.SOLVault
	}
	return new(big.Int).Add(received, taxOut).Cmp(new(big.Int).SetUint64(reserve)) < 0
}

func withinAUnit(ours uint64, theirs string) bool {
	return theirs == u64(ours) || theirs == u64(ours+1) || ours > 0 && theirs == u64(ours-1)
}
