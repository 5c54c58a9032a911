package client_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// offer is a launch as the service composes it, with places to cheat.
type offer struct {
	creation creation.Creation
	payer    solana.PublicKey
	nonce    systemprogram.AdvanceNonceAccount
	units    uint32
	price    uint64
	more     []solana.Instruction
	before   []solana.Instruction
	twist    func([]solana.Instruction)
	given    client.UnsignedToken
	asked    client.TokenCreation
	to       client.DistributionWallet
}

func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

func honest(wallet solana.PublicKey) offer {
	mint, to := key(2), key(3)
	asked := client.TokenCreation{Name: "Paper Crane", Symbol: "CRANE", Decimals: 6, Supply: client.BaseUnits(1_000_000), TransferFeePercent: client.MustPercent("5"), ImmutableMetadata: true}
	uri := bound(asked, wallet, mint)
	return offer{
		creation: creation.Creation{
			Payer: wallet, Mint: mint, DistributionWallet: to, Name: "Paper Crane", Symbol: "CRANE", URI: uri,
			Decimals: 6, Supply: 1_000_000, TransferFeeBps: 500, ImmutableMetadata: true, MintRentLamports: 4_000_000, FundingLamports: 20_000_000,
		},
		payer: wallet, nonce: systemprogram.AdvanceNonceAccount{Nonce: key(4), Authority: key(5)}, units: 40_000, price: 10_000,
		asked: asked,
		to:    client.DistributionWallet{WalletID: "w", Address: to},
		given: client.UnsignedToken{
			MintKeypair: client.MintKey{PublicKey: mint}, MetadataURI: uri,
			// Three signers, and 40,000 units for a hundredth of a lamport each.
			Cost: client.Cost{
				NetworkFeeLamports: client.LamportsOf(15_400), RentLamports: client.LamportsOf(6_000_000), DistributionWalletFundingLamports: client.LamportsOf(20_000_000), TotalLamports: client.LamportsOf(26_015_400),
			},
		},
	}
}

// made is the transaction, and a sentence for each instruction.
func (o offer) made(t *testing.T) client.UnsignedToken {
	t.Helper()
	list := append([]solana.Instruction(nil), o.before...)
	list = append(list, o.nonce.Instruction(), computebudget.SetUnitLimit(o.units), computebudget.SetUnitPrice(o.price))
	steps, err := o.creation.Steps()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		list = append(list, s.Instruction)
	}
	list = append(list, o.more...)
	if o.twist != nil {
		o.twist(list)
	}
	m, err := wire.Compile(o.payer, solana.Hash{1}, list)
	if err != nil {
		t.Fatal(err)
	}
	o.given.Transaction = wire.NewTransaction(m).Base64()
	o.given.Explanation = slices.Repeat([]string{"It does something."}, len(list))
	return o.given
}

// The client signs a launch that equals the request to the byte, and no other.
func TestOnlyRequestedLaunchIsSigned(t *testing.T) {
	key1, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	wallet := key1.PublicKey()
	c, err := client.New("https://api.example", client.WithSigner(key1))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := c.SignLaunch(t.Context(), honest(wallet).asked, honest(wallet).to, honest(wallet).made(t))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := wire.ParseBase64(signed)
	if err != nil || tx.VerifySignature(wallet) != nil || len(tx.Missing()) != 2 {
		t.Errorf("signed: %v, %v, missing %v", err, tx.VerifySignature(wallet), tx.Missing())
	}
	stolen := token2022.SetAuthority{Account: key(9), Current: wallet, Type: token2022.AuthorityMintTokens, New: key(8)}.Instruction()
	for name, cheat := range map[string]func(*offer){
		"another supply":             func(o *offer) { o.creation.Supply-- },
		"another name":               func(o *offer) { o.creation.Name = "Paper Cranes" },
		"another symbol":             func(o *offer) { o.creation.Symbol = "CRANES" },
		"other metadata":             func(o *offer) { o.creation.URI = "ipfs://other" },
		"other decimals":             func(o *offer) { o.creation.Decimals = 9 },
		"a higher tax":               func(o *offer) { o.creation.TransferFeeBps++ },
		"an adjustable tax":          func(o *offer) { o.creation.FeeAdjustable = true },
		"metadata that change":       func(o *offer) { o.creation.ImmutableMetadata = false },
		"another mint":               func(o *offer) { o.creation.Mint = key(7) },
		"another wallet for the tax": func(o *offer) { o.creation.DistributionWallet = key(7) },
		"more for the wallet":        func(o *offer) { o.creation.FundingLamports++ },
		"more rent than it costs":    func(o *offer) { o.creation.MintRentLamports = 6_000_001 },
		"another payer":              func(o *offer) { o.payer = key(7) },
		"a dearer fee":               func(o *offer) { o.price *= 2 },
		"more units":                 func(o *offer) { o.units++ },
		"an understated cost":        func(o *offer) { add(&o.given.Cost.TotalLamports, -1) },
		"a cost that runs over": func(o *offer) {
			o.given.Cost.RentLamports = client.LamportsOf(1<<64 - 20_015_400)
			o.given.Cost.TotalLamports = client.LamportsOf(0)
		},
		"the wallet's own nonce": func(o *offer) { // which spares a signature
			o.nonce.Authority = wallet
			add(&o.given.Cost.NetworkFeeLamports, -5000)
			add(&o.given.Cost.TotalLamports, -5000)
		},
		"no nonce": func(o *offer) {
			o.twist = func(list []solana.Instruction) {
				list[0] = solana.NewInstruction(solana.SystemProgramID, list[0].Accounts(), []byte{5, 0, 0, 0})
			}
		},
		"a payment at the end": func(o *offer) {
			o.more = []solana.Instruction{systemprogram.Transfer{From: wallet, To: key(8), Lamports: 1}.Instruction()}
		},
		"a payment at the beginning": func(o *offer) {
			o.before = []solana.Instruction{systemprogram.Transfer{From: wallet, To: key(8), Lamports: 1}.Instruction()}
		},
		"an authority for another wallet": func(o *offer) { o.more = []solana.Instruction{stolen} },
	} {
		o := honest(wallet)
		cheat(&o)
		signed, err := c.SignLaunch(t.Context(), o.asked, o.to, o.made(t))
		if !errors.Is(err, client.ErrTransactionMismatch) || signed != "" {
			t.Errorf("SignLaunch(), %s: %q, %v; want ErrTransactionMismatch", name, signed, err)
		}
	}
}

// Whichever account or byte of whichever instruction is another, it is not signed; except for
// those of the nonce, which is the service's, of the rent, which the cost bounds, and of so
// few compute units that the fee is the same.
func TestLaunchComparesEveryByte(t *testing.T) {
	wallet := key(1)
	const nonce, limit, create = 0, 1, 3
	tried := 0
	for i := range 12 {
		for at := 0; ; at++ {
			o := honest(wallet)
			left := false
			o.twist = func(list []solana.Instruction) {
				data, err := list[i].Data()
				if err != nil {
					t.Fatal(err)
				}
				metas := list[i].Accounts()
				switch data = slices.Clone(data); {
				case at < len(data):
					data[at] ^= 0x40
				case at < len(data)+len(metas):
					other := *metas[at-len(data)]
					other.PublicKey = key(9)
					metas[at-len(data)] = &other
				default:
					left = true
				}
				list[i] = solana.NewInstruction(list[i].ProgramID(), metas, data)
			}
			given := o.made(t)
			if left {
				break
			}
			harmless := i == nonce || i == create && at >= 4 && at < 12 || i == limit && at == 1
			if _, err := client.CheckLaunch(wallet, o.asked, o.to, given); !harmless && !errors.Is(err, client.ErrTransactionMismatch) {
				t.Errorf("instruction %d with another byte or account %d: %v", i, at, err)
			}
			tried++
		}
	}
	if tried < 300 {
		t.Errorf("only %d were tried", tried)
	}
}

// These properties hold for every transaction.
func TestTransactionIsParsedBeforeSigning(t *testing.T) {
	wallet := key(1)
	o := honest(wallet)
	good := o.made(t)
	if _, err := client.CheckLaunch(wallet, o.asked, o.to, good); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(good.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	taken := slices.Clone(raw)
	taken[1] = 1 // the first byte of the payer's signature
	versioned := slices.Clone(raw)
	versioned[1+3*64] |= 0x80
	dear := honest(wallet)
	dear.price = 1_000_000_000
	add(&dear.given.Cost.NetworkFeeLamports, 39_999_600)
	add(&dear.given.Cost.TotalLamports, 39_999_600)
	with := func(transaction []byte) client.UnsignedToken {
		given := good
		given.Transaction = base64.StdEncoding.EncodeToString(transaction)
		return given
	}
	unexplained := good
	unexplained.Explanation = good.Explanation[1:]
	for want, given := range map[string]client.UnsignedToken{
		"the end of the message":     with(append(slices.Clone(raw), 0)),
		"a signature in your wallet": with(taken),
		"versioned":                  with(versioned),
		"the account keys":           with(raw[:250]),
		"explanations":               unexplained,
		"priority fee of 0.04 SOL":   dear.made(t),
	} {
		if _, err := client.CheckLaunch(wallet, o.asked, o.to, given); !errors.Is(err, client.ErrTransactionMismatch) || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckLaunch() = %v, want ErrTransactionMismatch with %q", err, want)
		}
	}
	if _, err := client.CheckLaunch(key(9), o.asked, o.to, good); !errors.Is(err, client.ErrTransactionMismatch) || !strings.Contains(err.Error(), "its fee is paid by") {
		t.Errorf("another wallet: %v", err)
	}
}

// add changes an amount by a number of lamports.
func add(l *client.Lamports, n int64) { *l = client.LamportsOf(l.Uint64() + uint64(n)) } // #nosec G115 -- it wraps
