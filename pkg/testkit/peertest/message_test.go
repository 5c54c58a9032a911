package peertest_test

import (
	"bytes"
	"errors"
	"testing"
	"unicode"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// messageCases is the number of messages of each sort that are compared.
const messageCases = 200

func TestCreationEqualsTheOfficialClients(t *testing.T) {
	g := newGenerator(2)
	messages := make([]wire.Message, messageCases)
	cases := make([]peertest.Case, messageCases)
	for i := range messages {
		payer, mint := g.key(), g.key()
		nonce := transaction.NonceUse{Nonce: transaction.Nonce{Account: g.key()}, Authority: g.key()}
		c := creation.Creation{
			Payer: payer, Mint: mint, DistributionWallet: g.key(),
			Name: g.text(32), Symbol: g.text(10), URI: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
			Decimals: g.decimals(), Supply: g.u64(), TransferFeeBps: g.basisPoints(),
			FeeAdjustable: g.IntN(2) == 0, ImmutableMetadata: g.IntN(2) == 0,
			MintRentLamports: g.u64(), FundingLamports: g.u64(),
		}
		units, price := 1+g.Uint32N(1_400_000), g.u64()
		nonce.Value = solana.Hash(g.key())
		messages[i] = compile(t, c, nonce, units, price)
		cases[i] = peertest.Case{
			"kind": "creation", "payer": c.Payer, "mint": c.Mint, "wallet": c.DistributionWallet,
			"nonce": nonce.Value, "nonceAccount": nonce.Account, "nonceAuthority": nonce.Authority,
			"name": c.Name, "symbol": c.Symbol, "uri": c.URI, "decimals": c.Decimals, "supply": u64(c.Supply),
			"basisPoints": c.TransferFeeBps, "adjustable": c.FeeAdjustable, "immutable": c.ImmutableMetadata,
			"rent": u64(c.MintRentLamports), "space": u64(token2022.MintSpace), "funding": u64(c.FundingLamports),
			"units": units, "microLamports": u64(price),
		}
	}
	for i, got := range peertest.Encode(t, cases) {
		compare(t, cases[i], messages[i], got)
	}
}

// compile makes a creation's message as the service does.
func compile(t *testing.T, c creation.Creation, n transaction.NonceUse, units uint32, price uint64) wire.Message {
	t.Helper()
	steps, err := c.Steps()
	if err != nil {
		t.Fatal(err)
	}
	message, _, err := transaction.Draft{Caller: c.Payer, Mint: c.Mint, Steps: steps, Nonce: &n}.Compile(n.Value, units, price)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

func TestMessagesEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(3)
	type input struct {
		payer        solana.PublicKey
		recent       solana.Hash
		instructions []solana.Instruction
	}
	inputs := make([]input, messageCases)
	cases := make([]peertest.Case, messageCases)
	for i := range inputs {
		payer, recent := g.key(), solana.Hash(g.key())
		programs := []solana.PublicKey{g.key(), g.key(), g.key()}
		pool := []solana.PublicKey{payer}
		for range 1 + g.IntN(15) {
			key := g.key()
			pool = append(pool, key, otherCase(g, key))
		}
		var list []solana.Instruction
		var described []peertest.Instruction
		for range 1 + g.IntN(6) {
			var metas solana.AccountMetaSlice
			for range g.IntN(8) {
				metas = append(metas, solana.NewAccountMeta(pool[g.IntN(len(pool))], g.IntN(3) == 0, g.IntN(4) == 0))
			}
			in := solana.NewInstruction(programs[g.IntN(len(programs))], metas, []byte(g.text(20)))
			list = append(list, in)
			described = append(described, describe(t, in))
		}
		inputs[i] = input{payer, recent, list}
		cases[i] = peertest.Case{"kind": "plain", "payer": payer, "recent": recent, "instructions": described}
	}
	fitting := 0
	for i, got := range peertest.Encode(t, cases) {
		message, err := wire.Compile(inputs[i].payer, inputs[i].recent, inputs[i].instructions)
		if errors.Is(err, wire.ErrTooLarge) {
			if got.Error == "" && len(got.Transaction) <= wire.MaxTransactionSize {
				t.Errorf("%v: the client makes %d bytes of it, and we refuse: %v", cases[i], len(got.Transaction), err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", cases[i], err)
		}
		fitting++
		compare(t, cases[i], message, got)
	}
	if fitting < messageCases/2 {
		t.Errorf("only %d of %d messages fit: the generator does not test much", fitting, messageCases)
	}
}

// compare wants the client's unsigned transaction to be ours, byte for byte.
func compare(t *testing.T, c peertest.Case, message wire.Message, got peertest.Encoded) {
	t.Helper()
	if got.Error != "" {
		t.Errorf("%v: the client refused: %s", c, got.Error)
		return
	}
	if want := wire.NewTransaction(message).Bytes(); !bytes.Equal(want, got.Transaction) {
		t.Errorf("%v:\n ours  %x\n peers %x", c, want, got.Transaction)
	}
	parsed, err := wire.ParseTransaction(got.Transaction)
	if err != nil || !parsed.Message().Equal(message) {
		t.Errorf("%v: the client's bytes do not parse into the message: %v", c, err)
	}
}

// otherCase returns a key whose address differs from key's in the case of one
// letter, so that only the last rule of the order tells them apart.
func otherCase(g generator, key solana.PublicKey) solana.PublicKey {
	address := []rune(key.String())
	for range 100 {
		i := 1 + g.IntN(len(address)-1)
		flipped := append([]rune(nil), address...)
		if flipped[i] = unicode.ToUpper(address[i]); flipped[i] == address[i] {
			flipped[i] = unicode.ToLower(address[i])
		}
		other, err := solana.PublicKeyFromBase58(string(flipped))
		if err == nil && other != key {
			return other
		}
	}
	return g.key()
}
