package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/content"
)

var update = flag.Bool("update", false, "prepare the transactions of testdata/asked.json again")

// request is the caller's request: one of these, and the caller's further knowledge.
type request struct {
	Launch    *client.TokenCreation      `json:"launch,omitempty"`
	To        *client.DistributionWallet `json:"to,omitempty"`
	Pool      *client.PoolCreation       `json:"pool,omitempty"`
	Curve     *client.CurveCreation      `json:"curve,omitempty"`
	Buy       *client.CurvePurchase      `json:"buy,omitempty"`
	Sell      *client.CurveSale          `json:"sell,omitempty"`
	Cancel    bool                       `json:"cancel,omitempty"`
	Fees      bool                       `json:"fees,omitempty"`
	Lock      *client.TokenLock          `json:"lock,omitempty"`
	Promotion *client.PromotionPurchase  `json:"promotion,omitempty"`
	Mint      *solana.PublicKey          `json:"mint,omitempty"`
	Tax       client.Percent             `json:"tax,omitzero"`
	Max       client.Lamports            `json:"most,omitzero"`
	Min       client.Lamports            `json:"least,omitzero"`
}

// vector is a transaction that the service prepared, and what a hostile API could answer in
// its place. The TypeScript package is held to the same file.
type vector struct {
	Name   string           `json:"name"`
	Wallet solana.PublicKey `json:"wallet"`
	Asked  request          `json:"asked"`
	Given  json.RawMessage  `json:"given"`
	// Hostile answers differ from Given in these fields.
	Hostile []hostile `json:"hostile"`
}

type hostile struct {
	Name string `json:"name"`
	// Fields take the place of those of the response.
	Fields map[string]any `json:"fields"`
	// Why is a part of the error's text.
	Why string `json:"why"`
}

// check judges a response.
func (v vector) check(answer []byte) (err error) {
	switch a := v.Asked; {
	case a.Launch != nil:
		_, err = client.CheckLaunch(v.Wallet, *a.Launch, *a.To, decoded[client.UnsignedToken](answer))
	case a.Pool != nil:
		_, err = client.CheckPool(v.Wallet, *a.Pool, decoded[client.UnsignedPool](answer))
	case a.Curve != nil:
		_, err = client.CheckCurve(v.Wallet, *a.Curve, a.Tax, decoded[client.UnsignedCurve](answer))
	case a.Buy != nil && a.Buy.Lamports.Uint64() > 0:
		_, err = client.CheckSpend(v.Wallet, *a.Mint, *a.Buy, client.Amount(a.Min), decoded[client.UnsignedPurchase](answer))
	case a.Buy != nil:
		_, err = client.CheckBuy(v.Wallet, *a.Mint, *a.Buy, a.Max, decoded[client.UnsignedPurchase](answer))
	case a.Sell != nil:
		_, err = client.CheckSell(v.Wallet, *a.Mint, *a.Sell, a.Min, decoded[client.UnsignedSale](answer))
	case a.Cancel:
		_, err = client.CheckCancel(v.Wallet, *a.Mint, decoded[client.UnsignedCancellation](answer))
	case a.Fees:
		_, err = client.CheckFeeClaim(v.Wallet, *a.Mint, decoded[client.UnsignedFeeClaim](answer))
	case a.Lock != nil:
		_, err = client.CheckLock(v.Wallet, *a.Mint, *a.Lock, a.Tax, decoded[client.UnsignedLock](answer))
	case a.Promotion != nil:
		_, err = client.CheckPromotion(v.Wallet, *a.Promotion, decoded[client.UnsignedPromotion](answer))
	default:
		_, err = client.CheckTransferFee(v.Wallet, *a.Mint, a.Tax, decoded[client.UnsignedTransferFee](answer))
	}
	return err
}

func decoded[T any](answer []byte) (out T) {
	if err := json.Unmarshal(answer, &out); err != nil {
		panic(err)
	}
	return out
}

// with returns the response with other fields.
func (v vector) with(fields map[string]any) []byte {
	answer := decoded[map[string]any](v.Given)
	for name, value := range fields {
		answer[name] = value
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return out
}

const vectors = "testdata/asked.json"

func readVectors(t testing.TB) (list []vector) {
	t.Helper()
	content, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// The client signs the requested transaction as the service prepares it; with -update the test
// writes the file that the other tests and the TypeScript tests read.
func TestServiceTransactionsAreSigned(t *testing.T) {
	list := newMarkets(t).prepared(t)
	const kinds = 17
	if len(list) != kinds {
		t.Errorf("%d transactions were prepared", len(list))
	}
	if !*update || t.Failed() {
		return
	}
	for i := range list {
		list[i].Hostile = list[i].attacks(t)
	}
	// A line for each response.
	content := bytes.ReplaceAll(text(t, list), []byte(`{"name":`), []byte("\n"+`{"name":`))
	if err := os.WriteFile(vectors, append(content, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The client rejects every response that differs from the request, with a reason.
func TestHostileAPIGetsNothingSigned(t *testing.T) {
	tried := 0
	for _, v := range readVectors(t) {
		if err := v.check(v.Given); err != nil {
			t.Errorf("vector %s: check of the given response: %v", v.Name, err)
		}
		for _, h := range v.Hostile {
			err := v.check(v.with(h.Fields))
			if !errors.Is(err, client.ErrTransactionMismatch) || !strings.Contains(err.Error(), h.Why) {
				t.Errorf("%s, %s: %v, want %q", v.Name, h.Name, err, h.Why)
			}
			tried++
		}
		// The catalogue in the file is the one below.
		if made := v.attacks(t); len(made) != len(v.Hostile) || !bytes.Equal(text(t, made), text(t, v.Hostile)) {
			t.Errorf("%s: the file is not of this catalogue: run the test above with -update", v.Name)
		}
	}
	if tried < 120 {
		t.Errorf("only %d were tried", tried)
	}
}

func text(t testing.TB, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Whichever bit of a message is another, it is rejected, except for those of the blockhash, and of
// so few compute units that the fee is the same, and in a launch of its nonce.
func TestTransactionComparesEveryByte(t *testing.T) {
	for _, v := range readVectors(t) {
		given := decoded[struct{ Transaction string }](v.Given)
		raw, err := base64.StdEncoding.DecodeString(given.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		tx, err := wire.ParseTransaction(raw)
		if err != nil {
			t.Fatal(err)
		}
		start := len(raw) - len(tx.Message().Bytes())
		value := tx.Message().Recent()
		recent := bytes.Index(raw, value[:])
		taken := 0
		for at := start; at < len(raw); at++ {
			if at == recent {
				at += 31
				continue
			}
			changed := slices.Clone(raw)
			changed[at] ^= 0x40
			err := v.check(v.with(map[string]any{"transaction": base64.StdEncoding.EncodeToString(changed)}))
			switch {
			case err == nil:
				taken++
			case !errors.Is(err, client.ErrTransactionMismatch):
				t.Errorf("%s with another byte %d: %v", v.Name, at-start, err)
			}
		}
		maximum := 1 // of the limit of compute units
		if v.Asked.Launch != nil {
			maximum += solana.PublicKeyLength + 8 // the key of the service that signs last, and less rent, which fails
		}
		if taken > maximum {
			t.Errorf("%s: %d bytes are not compared", v.Name, taken)
		}
	}
}

// FuzzCheck checks that no response makes a check panic, and that only the requested transaction
// passes, on any blockhash.
func FuzzCheck(f *testing.F) {
	list := readVectors(f)
	for i, v := range list {
		f.Add(uint8(i), decoded[struct{ Transaction string }](v.Given).Transaction, "x")
	}
	f.Fuzz(func(t *testing.T, which uint8, transaction, other string) {
		v := list[int(which)%len(list)]
		given := decoded[map[string]any](v.Given)
		_ = v.check(v.with(map[string]any{"transaction": transaction, "explanation": []string{other}}))
		if v.check(v.with(map[string]any{"transaction": transaction})) != nil || v.Asked.Launch != nil {
			return
		}
		have, err1 := wire.ParseBase64(transaction)
		want, err2 := wire.ParseBase64(given["transaction"].(string))
		if err1 != nil || err2 != nil {
			t.Fatalf("ParseBase64() = %v and %v", err1, err2)
		}
		same, err := want.Message().OnRecent(have.Message().Recent())
		if err != nil || !same.Equal(have.Message()) {
			t.Errorf("%s: another transaction passed: %s", v.Name, transaction)
		}
	})
}

// message is a transaction taken apart, to be put together otherwise.
type message struct {
	payer  solana.PublicKey
	recent solana.Hash
	list   []solana.Instruction
}

// attacks returns the responses with which a hostile API could answer v. They depend only on the
// vector.
func (v vector) attacks(t testing.TB) (list []hostile) {
	t.Helper()
	given := decoded[struct {
		Transaction string
		Cost        map[string]string
	}](v.Given)
	tx, err := wire.ParseBase64(given.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	me, thief, other := v.Wallet, key(66), key(67)
	take := func() message {
		m := message{payer: me, recent: tx.Message().Recent()}
		for _, i := range tx.Message().Instructions() {
			var metas solana.AccountMetaSlice
			for _, a := range i.Accounts {
				metas = append(metas, &a)
			}
			m.list = append(m.list, solana.NewInstruction(i.ProgramID, metas, i.Data))
		}
		return m
	}
	fields := func(m message) map[string]any {
		c, err := wire.Compile(m.payer, m.recent, m.list)
		if err != nil {
			return nil // it does not fit: no attack
		}
		return map[string]any{
			"transaction": wire.NewTransaction(c).Base64(), "explanation": slices.Repeat([]string{"-"}, len(m.list)), "cost": costOf(given.Cost, c),
		}
	}
	add := func(name, why string, change func(*message), more ...map[string]any) {
		m := take()
		if change != nil {
			change(&m)
		}
		f := fields(m)
		if f == nil {
			return
		}
		if change == nil {
			f = map[string]any{}
		}
		for _, m := range more {
			for name, value := range m {
				f[name] = value
			}
		}
		list = append(list, hostile{Name: name, Fields: f, Why: why})
	}
	data := func(i solana.Instruction) []byte {
		d, err := i.Data()
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(d)
	}
	// set replaces the data or accounts of an instruction.
	set := func(i solana.Instruction, d []byte, accounts map[int]solana.PublicKey) solana.Instruction {
		var metas solana.AccountMetaSlice
		for n, a := range i.Accounts() {
			meta := *a
			if k, ok := accounts[n]; ok {
				meta.PublicKey = k
			}
			metas = append(metas, &meta)
		}
		return solana.NewInstruction(i.ProgramID(), metas, d)
	}
	mint := v.mint()
	wrapped, _ := token2022.AssociatedAddress(me, solana.WrappedSol, solana.TokenProgramID)
	tokens, _ := token2022.AssociatedAddress(me, mint, solana.Token2022ProgramID)
	theirs, _ := token2022.AssociatedAddress(thief, mint, solana.Token2022ProgramID)
	at, _ := meteora.Addresses(other, solana.WrappedSol, key(68))
	steal := meteora.PositionSide{Accounts: at, Owner: me, OwnerToken: theirs, OwnerSOL: wrapped, TokenMint: other}
	main := -1 // the instruction that does what was asked for
	for n, i := range take().list {
		if p := i.ProgramID(); main < 0 && (p == raydium.Mainnet.Program || p == meteora.Program || p == locker.Program) {
			main = n
		}
	}
	if main < 0 {
		main = len(take().list) - 1
	}
	put := func(n int, i solana.Instruction) func(*message) { return func(m *message) { m.list[n] = i } }
	end := func(i solana.Instruction) func(*message) { return func(m *message) { m.list = append(m.list, i) } }

	const extra, place, first = "one more instruction", "in place of the instruction", "cannot be read"
	before := first
	if v.Asked.Launch != nil {
		before = "one-time number"
	}
	add("it takes your liquidity out instead", place, put(main, meteora.RemoveAllLiquidity{PositionSide: steal}.Instruction()))
	add("it takes your liquidity out, too", extra, end(meteora.RemoveAllLiquidity{PositionSide: steal}.Instruction()))
	add("it takes your fees, too", extra, end(meteora.ClaimPositionFee{PositionSide: steal}.Instruction()))
	add("it pays a stranger at the end", extra, end(systemprogram.Transfer{From: me, To: thief, Lamports: 1}.Instruction()))
	add("it pays a stranger first", before, func(m *message) {
		m.list = slices.Insert(m.list, 0, systemprogram.Transfer{From: me, To: thief, Lamports: 1}.Instruction())
	})
	add("it gives your token account away", extra, end(token2022.SetAuthority{Account: tokens, Current: me, Type: 2, New: thief}.Instruction()))
	approve := append([]byte{4}, binary.LittleEndian.AppendUint64(nil, 1<<63)...)
	add("it lets a stranger spend your tokens", extra, end(solana.NewInstruction(solana.Token2022ProgramID, solana.AccountMetaSlice{
		solana.Meta(tokens).WRITE(), solana.Meta(thief), solana.Meta(me).SIGNER(),
	}, approve)))
	add("it closes your wrapped SOL for a stranger", extra, end(token2022.CloseAccount{
		Program: solana.TokenProgramID, Account: wrapped, Destination: thief, Owner: me,
	}.Instruction()))
	add("it assigns your wallet to a program", extra, end(solana.NewInstruction(solana.SystemProgramID,
		solana.AccountMetaSlice{solana.Meta(me).WRITE().SIGNER()}, append([]byte{1, 0, 0, 0}, thief[:]...))))
	nonce := before
	if v.Asked.Launch != nil {
		nonce = "cannot be read"
	}
	add("it uses a stranger's nonce", nonce, func(m *message) {
		m.list = slices.Insert(m.list, 0, solana.Instruction(systemprogram.AdvanceNonceAccount{Nonce: other, Authority: thief}.Instruction()))
	})
	add("another pays its fee", "its fee is paid by", func(m *message) { m.payer = thief })
	budget := 0
	if v.Asked.Launch != nil {
		budget = 1
	}
	const dear = 1_000_000_000_000
	add("its priority fee is huge", "priority fee of", put(budget+1, computebudget.SetUnitPrice(dear)))
	old := map[string]any{"cost": given.Cost}
	add("its fee is not that of its cost", "its cost says", put(budget+1, computebudget.SetUnitPrice(20_000)), old)
	add("its cost does not add up", "add up", nil, map[string]any{"cost": sum(given.Cost, "1")})
	add("its cost runs over", "add up", nil, map[string]any{"cost": sum(given.Cost, "18446744073709551615")})
	add("an instruction is missing", "missing", func(m *message) { m.list = m.list[:len(m.list)-1] })
	add("an instruction comes twice", extra, func(m *message) { m.list = append(m.list, m.list[len(m.list)-1]) })
	called := "the program is"
	if v.Asked.Cancel {
		called = "closes no position"
	}
	add("another program is called", called, func(m *message) {
		m.list[main] = solana.NewInstruction(thief, m.list[main].Accounts(), data(m.list[main]))
	})
	raw := tx.Bytes()
	start := len(raw) - len(tx.Message().Bytes())
	tables := slices.Concat(raw[:start], []byte{0x80}, raw[start:], []byte{0})
	// The instructions are those that were asked for, and the message has more than they need.
	m := take()
	for _, a := range m.list[main].Accounts() {
		if !a.IsSigner && !a.IsWritable || v.Asked.Launch != nil && !a.IsSigner {
			add("a stranger must sign, too", "do not need", func(m *message) {
				for _, i := range m.list {
					for _, b := range i.Accounts() {
						b.IsSigner = b.IsSigner || b.PublicKey == a.PublicKey
					}
				}
			})
			break
		}
	}
	keys := start + 4 + solana.PublicKeyLength*int(raw[start+3])
	more := slices.Concat(raw[:keys], other[:], raw[keys:])
	more[start+2]++
	more[start+3]++
	add("it names one more account", "do not need", nil, map[string]any{"transaction": base64.StdEncoding.EncodeToString(more)})
	add("it has address tables", "", nil, map[string]any{"transaction": base64.StdEncoding.EncodeToString(tables)})
	signed := slices.Clone(raw)
	signed[1] = 1
	add("it has a signature in your place", "in your wallet's place", nil, map[string]any{"transaction": base64.StdEncoding.EncodeToString(signed)})
	add("it has bytes after its end", "", nil, map[string]any{"transaction": base64.StdEncoding.EncodeToString(append(slices.Clone(raw), 7))})
	add("it is no transaction", "", nil, map[string]any{"transaction": "AA=="})

	// number writes a u64 into the main instruction.
	number := func(at int, n uint64) func(*message) {
		i := take().list[main]
		d := data(i)
		binary.LittleEndian.PutUint64(d[at:], n)
		return put(main, set(i, d, nil))
	}
	swap := take().list[main]
	const anchor = 8 // bytes before the numbers
	switch a := v.Asked; {
	case a.Pool != nil:
		add("more tokens", "data are others", number(anchor, 1<<62))
		add("other SOL", "data are others", number(anchor+8, 1<<62))
		add("it opens in a year", "data are others", number(anchor+16, 1_900_000_000))
		moved := func(pool solana.PublicKey) func(*message) { return put(main, makesPool(t, v, pool)) }
		// The program would take your wallet for the pool's account, and own it.
		add("your wallet becomes the pool", "your wallet", moved(me), map[string]any{"poolAddress": me})
		add("a fresh pool that the answer does not name", "", moved(key(69)))
		add("a fresh pool, and its key does more", extra, func(m *message) {
			moved(key(69))(m)
			m.list = append(m.list, systemprogram.Transfer{From: key(69), To: thief, Lamports: 1}.Instruction())
		}, map[string]any{"poolAddress": key(69)})
	case a.Curve != nil:
		d := data(swap)
		d[anchor+7] = 1 // a fee of more than everything
		add("another fee", "data are others", put(main, set(swap, d, nil)))
		add("less liquidity", "data are others", number(anchor+27+4+32+1, 1))
		late := slices.Concat(data(swap)[:len(data(swap))-1], []byte{1}, binary.LittleEndian.AppendUint64(nil, 1_900_000_000))
		add("it opens in a year", "bytes of data", put(main, set(swap, late, nil)))
		add("a stranger gets the position", "account 0", put(main, set(swap, data(swap), map[int]solana.PublicKey{0: thief})))
		b, _ := meteora.Addresses(mint, solana.WrappedSol, me)
		add("your wallet becomes a mint", "your wallet", put(main, set(swap, data(swap), map[int]solana.PublicKey{1: me, 2: b.PositionNFTAccount, 6: b.Position})),
			map[string]any{"positionNftMint": me})
		if a.Curve.LockLiquidity == nil {
			add("it is not locked", place, func(m *message) { m.list = slices.Delete(m.list, main+1, main+2) })
		}
		if !a.Curve.StartsAt.IsZero() {
			add("it opens at another time", "data are others", number(len(data(swap))-8, 1_900_000_000))
		}
		if a.Curve.InitialBuyLamports.Uint64() > 0 {
			buys := main + 2 // behind the lock
			buy := take().list[buys]
			changed := func(at int, n uint64) func(*message) {
				d := data(buy)
				binary.LittleEndian.PutUint64(d[at:], n)
				return put(buys, set(buy, d, nil))
			}
			add("fewer tokens arrive first", "data are others", changed(anchor+8, 1))
			add("more is spent first", "data are others", changed(anchor, 1<<62))
			add("a stranger gets the first tokens", "account 3", put(buys, set(buy, data(buy), map[int]solana.PublicKey{3: theirs})))
			add("nothing is bought first", place, func(m *message) { m.list = slices.Delete(m.list, buys, buys+1) })
		}
	case a.Buy != nil && a.Buy.Lamports.Uint64() > 0:
		add("more lamports are paid", "data are others", number(anchor, 1<<62))
		add("fewer tokens may arrive", "data are others", number(anchor+8, 1))
		add("nothing may arrive, as the answer has it", "arrive at least", nil, map[string]any{"minimumTokenAmount": "0"})
		add("what arrives now is made up", "fewer than the slippage", nil, map[string]any{"tokenAmount": "18446744073709551615"})
		add("it is dear", "arrive at least", number(anchor+8, 1), map[string]any{"minimumTokenAmount": "1", "tokenAmount": "1"})
		add("it sells", "account 2", put(main, set(swap, data(swap), map[int]solana.PublicKey{2: tokens, 3: wrapped})))
	case a.Buy != nil:
		add("fewer tokens arrive", "data are others", number(anchor, 1))
		add("it may cost more", "data are others", number(anchor+8, 1<<62))
		add("it may cost more than you allow", "more than", nil, map[string]any{"maximumLamports": "18446744073709551615"})
		add("what it costs now is made up", "more than the slippage", nil, map[string]any{"solCost": "0.000000001"})
		// All of it fits together, and only its caller knows better.
		add("it is dear", "it costs up to", func(m *message) {
			number(anchor+8, 1_000_000_000_000)(m)
			for n, i := range m.list {
				if i.ProgramID() == solana.SystemProgramID {
					m.list[n] = systemprogram.Transfer{From: me, To: wrapped, Lamports: 1_000_000_000_000}.Instruction()
				}
			}
		}, map[string]any{"maximumLamports": "1000000000000", "maximumSolCost": "1000", "solCost": "1000"})
		add("it sells", "account 2", put(main, set(swap, data(swap), map[int]solana.PublicKey{2: tokens, 3: wrapped})))
	case a.Sell != nil:
		add("more tokens leave", "data are others", number(anchor, 1<<62))
		add("it may bring nothing", "data are others", number(anchor+8, 0))
		add("it may bring nothing, as the answer has it", "at least", nil, map[string]any{"minimumLamports": "0"})
		add("what it brings now is made up", "less than the slippage", nil, map[string]any{"solReceived": "1000"})
		add("it is cheap", "at least, less than", number(anchor+8, 1),
			map[string]any{"minimumLamports": "1", "minimumSolReceived": "0.000000001", "solReceived": "0.000000001"})
		add("a stranger gets the SOL", "account 3", put(main, set(swap, data(swap), map[int]solana.PublicKey{3: theirs})))
	case a.Cancel:
		add("another pool's position", "account", put(main, meteora.RemoveAllLiquidity{PositionSide: meteora.PositionSide{
			Accounts: at, Owner: me, OwnerToken: tokens, OwnerSOL: wrapped, TokenMint: mint,
		}}.Instruction()))
		closing := take().list[main+2]
		add("a stranger gets the rents", "account 5", put(main+2, set(closing, data(closing), map[int]solana.PublicKey{5: thief})))
	case a.Fees:
		claim := take().list[main]
		add("another pool's position", "account", put(main, meteora.ClaimPositionFee{PositionSide: meteora.PositionSide{
			Accounts: at, Owner: me, OwnerToken: tokens, OwnerSOL: wrapped, TokenMint: mint,
		}}.Instruction()))
		add("another position than it says", "account 2", nil, map[string]any{"positionNftMint": key(68)})
		add("all of the liquidity leaves", "bytes of data", put(main, set(claim, data(meteora.RemoveAllLiquidity{}.Instruction()), nil)))
		add("a stranger gets the tokens", "account 3", put(main, set(claim, data(claim), map[int]solana.PublicKey{3: theirs})))
		add("a stranger gets the SOL", "account 4", put(main, set(claim, data(claim), map[int]solana.PublicKey{4: theirs})))
	case a.Lock != nil:
		// The offsets of the instruction's fields: start, cliff, period, first amount, each amount,
		// times and modes.
		const modes = anchor + 6*8
		locks := take().list[main]
		add("it is released at once", "data are others", number(anchor+8, 1))
		add("it is released in thirty years", "data are others", number(anchor+8, 2_740_000_000))
		add("a period is a second more", "data are others", number(anchor+2*8, uint64(a.Lock.PeriodSeconds)+2))
		add("more is locked", "data are others", number(anchor+3*8, 1<<62))
		add("less comes with each part", "data are others", number(anchor+4*8, 1))
		add("there are more parts", "data are others", number(anchor+5*8, 1_000_000))
		passes := data(locks)
		passes[modes] = 1
		add("its creator can change the recipient", "data are others", put(main, set(locks, passes, nil)))
		cancelable := data(locks)
		cancelable[modes+1] = 1
		add("its creator can cancel", "data are others", put(main, set(locks, cancelable, nil)))
		add("a stranger receives it", "account 6", put(main, set(locks, data(locks), map[int]solana.PublicKey{6: thief})))
		add("a stranger's account keeps it", "account 3", put(main, set(locks, data(locks), map[int]solana.PublicKey{3: theirs})))
		escrow, _ := locker.EscrowAddress(me)
		add("your wallet becomes the key", "use your wallet up", put(main, set(locks, data(locks), map[int]solana.PublicKey{0: me, 1: escrow})),
			map[string]any{"baseAddress": me, "escrowAddress": escrow})
		add("another escrow than it says", "not that of its key", nil, map[string]any{"escrowAddress": other})
		elsewhere, _ := locker.EscrowAddress(key(69))
		add("another key than it says", "account", nil, map[string]any{"baseAddress": key(69), "escrowAddress": elsewhere})
	case a.Promotion != nil:
		pay := systemprogram.Transfer{From: me, To: thief, Lamports: 7 * 300_000_000, References: []solana.PublicKey{other}}
		add("another is paid than it says", "account 1", put(main, pay.Instruction()))
		add("more is paid than it says", "data are others", func(m *message) {
			d := data(m.list[main])
			binary.LittleEndian.PutUint64(d[4:], 1<<40)
			m.list[main] = set(m.list[main], d, nil)
		})
		add("its price is another", "it costs", nil, map[string]any{"amount": "2100000001"})
	case a.Launch != nil:
		// The launch fixes the file by its name: each of these passes every other comparison.
		signed := []byte(decoded[client.UnsignedToken](v.Given).MetadataURI)
		for _, evil := range []struct {
			name   string
			change func(*client.TokenCreation)
		}{
			{"a developer's fee that was not asked for", func(r *client.TokenCreation) { r.DeveloperFeePercent = client.MustPercent("100") }},
			{"a stranger's wallet for the creator's share", func(r *client.TokenCreation) { r.DeveloperWallet = thief }},
			{"a stranger in a split", func(r *client.TokenCreation) {
				half := client.MustPercent("50")
				r.CreatorSplits = []client.CreatorSplit{{Wallet: me, Percent: half}, {Wallet: thief, Percent: half}}
			}},
			{"another reward", func(r *client.TokenCreation) { r.RewardToken = thief.String() }},
			{"another picture", func(r *client.TokenCreation) { r.ImageURI = "ipfs://" + format.CID([sha256.Size]byte{1}) }},
			{"a stranger's link", func(r *client.TokenCreation) { r.Website = "https://drain.example" }},
			{"another description", func(r *client.TokenCreation) { r.Description = "Airdrop: connect your wallet" }},
		} {
			asked := *a.Launch
			evil.change(&asked)
			uri := bound(asked, me, mint)
			add(evil.name, "its metadata differs", func(m *message) {
				for n, i := range m.list {
					m.list[n] = set(i, bytes.ReplaceAll(data(i), signed, []byte(uri)), nil)
				}
			}, map[string]any{"metadataUri": uri})
		}
	default: // the tax
		change := token2022.SetTransferFee{Mint: mint, Authority: me, BasisPoints: 250, MaximumFee: 1<<64 - 1}
		higher, none, elsewhere := change, change, change
		higher.BasisPoints, none.MaximumFee, elsewhere.Mint = 9_999, 0, other
		add("another tax", "data are others", put(main, higher.Instruction()))
		add("no tax on anything", "data are others", put(main, none.Instruction()))
		add("another token's tax", "account 0", put(main, elsewhere.Instruction()))
	}
	return list
}

// bound is the address of the metadata of a launch.
func bound(asked client.TokenCreation, wallet, mint solana.PublicKey) string {
	file, err := asked.Metadata(wallet, mint)
	if err != nil {
		panic(err)
	}
	return content.Gateway + format.CID(sha256.Sum256(file))
}

// makesPool returns the instruction that creates the pool of v at the given account, or at the
// address derived from the mint if pool is zero.
func makesPool(t testing.TB, v vector, pool solana.PublicKey) solana.Instruction {
	t.Helper()
	asked, mint := v.Asked.Pool, v.Asked.Pool.TokenMint
	at, err := raydium.Mainnet.AddressesAt(mint, pool)
	if err != nil {
		t.Fatal(err)
	}
	var accounts [3]solana.PublicKey
	for i, of := range []struct{ mint, program solana.PublicKey }{
		{mint, solana.Token2022ProgramID}, {solana.WrappedSol, solana.TokenProgramID}, {at.LPMint, solana.TokenProgramID},
	} {
		if accounts[i], err = token2022.AssociatedAddress(v.Wallet, of.mint, of.program); err != nil {
			t.Fatal(err)
		}
	}
	return raydium.Initialize{
		Network: raydium.Mainnet, Addresses: at, Creator: v.Wallet, TokenProgram: solana.Token2022ProgramID,
		TokenAccount: accounts[0], SOLAccount: accounts[1], LPAccount: accounts[2],
		TokenAmount: asked.TokenAmount.Uint64(), Lamports: asked.SOLAmount.Uint64(),
	}.Instruction()
}

// poolAt is the response of v for a pool at another account.
func (v vector) poolAt(t testing.TB, account solana.PublicKey) map[string]any {
	t.Helper()
	given := decoded[client.UnsignedPool](v.Given)
	tx, err := wire.ParseBase64(given.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	makes := makesPool(t, v, account)
	var list []solana.Instruction
	for _, i := range tx.Message().Instructions() {
		next := solana.Instruction(solana.NewInstruction(i.ProgramID, metas(i, v.Wallet), i.Data))
		if i.ProgramID == raydium.Mainnet.Program {
			next = makes
		}
		list = append(list, next)
	}
	m, err := wire.Compile(v.Wallet, tx.Message().Recent(), list)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"transaction": wire.NewTransaction(m).Base64(), "poolAddress": makes.Accounts()[3].PublicKey,
		"cost": costOf(decoded[struct{ Cost map[string]string }](v.Given).Cost, m),
	}
}

// metas are an instruction's accounts with the rights that this instruction needs itself: the only
// signer is the wallet.
func metas(i wire.Instruction, wallet solana.PublicKey) (list solana.AccountMetaSlice) {
	for _, a := range i.Accounts {
		a.IsSigner = a.PublicKey == wallet
		list = append(list, &a)
	}
	return list
}

// mint is the token that v is about.
func (v vector) mint() solana.PublicKey {
	switch a := v.Asked; {
	case a.Mint != nil:
		return *a.Mint
	case a.Pool != nil:
		return a.Pool.TokenMint
	case a.Curve != nil:
		return a.Curve.TokenMint
	case a.Promotion != nil:
		return a.Promotion.TokenMint
	}
	return decoded[client.UnsignedToken](v.Given).MintKeypair.PublicKey
}

// costOf is the cost with the network fee of a message, which adds up.
func costOf(cost map[string]string, m wire.Message) map[string]string {
	fee := uint64(len(m.Signers())) * 5_000 // #nosec G115 -- a few
	var units uint32
	for _, i := range m.Instructions() {
		if i.ProgramID != solana.ComputeBudget {
			continue
		}
		if units == 0 {
			units = binary.LittleEndian.Uint32(i.Data[1:])
			continue
		}
		fee += computebudget.PriorityFee(units, binary.LittleEndian.Uint64(i.Data[1:]))
	}
	total := amountOf(cost["totalLamports"]).Uint64() - amountOf(cost["networkFeeLamports"]).Uint64() + fee
	return sum(sum(cost, fmt.Sprint(total)), fmt.Sprint(fee), "networkFeeLamports")
}

// sum is a cost with another total, or another part.
func sum(cost map[string]string, value string, part ...string) map[string]string {
	out := map[string]string{}
	for name, v := range cost {
		out[name] = v
	}
	out[append(part, "totalLamports")[0]] = value
	return out
}

func amountOf(text string) (l client.Lamports) {
	if err := l.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return l
}
