package terms_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

var update = flag.Bool("update", false, "write the files in testdata again")

// vectors is read by the tests of the client and of the page, too.
const vectors = "testdata/orders.json"

// vector is one order as those tests read it: the settings as the API has them.
type vector struct {
	Name      string           `json:"name"`
	Creator   string           `json:"creator"`
	Mint      string           `json:"mint"`
	Version   int64            `json:"version"`
	Settings  map[string]any   `json:"settings"`
	Text      string           `json:"text"`
	SHA256    string           `json:"sha256"`
	Signature solana.Signature `json:"signature"`
}

// keyOf is a key of a creator that is the same each time.
func keyOf(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func publicOf(key ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKeyFromBytes(key[ed25519.SeedSize:])
}

func signed(key ed25519.PrivateKey, text string) solana.Signature {
	return solana.Signature(ed25519.Sign(key, []byte(text)))
}

// orders are the cases, each with the number of its version.
func orders() []struct {
	name     string
	version  int64
	settings terms.Settings
} {
	creator, other := publicOf(keyOf(1)), publicOf(keyOf(2))
	full := terms.Settings{
		RewardToken: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", MinimumHolding: math.MaxUint64, SellBps: 125, Enabled: true,
		Interval: terms.Every5Minutes, BurnBps: 3_333, DeveloperFeeBps: 29, DeveloperWallet: other,
	}
	paused := terms.Default(creator)
	paused.Enabled, paused.MinimumHolding, paused.Interval = false, 0, terms.Every24Hours
	group := terms.Default(creator)
	group.TelegramGroupID = "@group"
	whole := terms.Default(other)
	whole.BurnBps, whole.DeveloperFeeBps = 1, 9_999
	split := terms.Default(creator)
	split.DeveloperFeeBps, split.CreatorSplits = 500, terms.NewSplits([]terms.Split{{Wallet: other, Bps: 9_999}, {Wallet: creator, Bps: 1}})
	held := split
	held.RewardBasis = terms.BasisHeld
	promised := held
	promised.MinimumHoldersBps = 6_050
	slow := promised
	slow.ChangeDelay = terms.Delay7Days
	return []struct {
		name     string
		version  int64
		settings terms.Settings
	}{
		{"as launched", terms.LaunchVersion, terms.Default(creator)},
		{"everything chosen", 2, full},
		{"paused", 3, paused},
		{"the creator's share split", 4, split},
		{"what was held before counts", 5, held},
		{"a minimum for holders", 6, promised},
		{"a delay of changes", 7, slow},
		{"the Telegram group is no part of it", terms.LaunchVersion, group},
		{"the last version that JavaScript can count", 1<<53 - 1, whole},
	}
}

// splitsOf are the splits as the API has them.
func splitsOf(s terms.Settings, percent func(int) json.Number) []map[string]any {
	list := []map[string]any{}
	for _, one := range s.CreatorSplits.List() {
		list = append(list, map[string]any{"wallet": one.Wallet.String(), "percent": percent(one.Bps)})
	}
	return list
}

// TestOrders holds the text to the vectors, byte by byte.
func TestOrders(t *testing.T) {
	t.Parallel()
	mint, percent := publicOf(keyOf(9)), func(bps int) json.Number { return json.Number(decimal.Text(uint64(bps), 2)) }
	var list []vector
	for _, o := range orders() {
		s, text := o.settings, terms.OrderText(mint, o.version, o.settings)
		hash := terms.OrderHash(mint, o.version, s)
		v := vector{
			Name: o.name, Creator: publicOf(keyOf(1)).String(), Mint: mint.String(), Version: o.version,
			Settings: map[string]any{
				"rewardToken": s.RewardToken, "distributionModel": terms.ModelProportional,
				"minimumHoldingRequirement": decimal.Text(s.MinimumHolding, 0), "percentageToSellPerDistribution": percent(s.SellBps),
				"distributionEnabled": s.Enabled, "distributionInterval": s.Interval, "burnPercent": percent(s.BurnBps),
				"developerFeePercent": percent(s.DeveloperFeeBps), "developerWallet": s.DeveloperWallet.String(), "telegramGroupId": s.TelegramGroupID,
				"creatorSplits": splitsOf(s, percent), "rewardBasis": s.RewardBasis.String(),
				"minimumHoldersPercent": percent(s.MinimumHoldersBps), "changeDelay": s.ChangeDelay.String(),
			},
			Text: text, SHA256: hex.EncodeToString(hash[:]), Signature: signed(keyOf(1), text),
		}
		if bad := s.Validate(); len(bad) > 0 {
			t.Errorf("Validate(), %s: %v, want no errors", o.name, bad)
		}
		if err := terms.VerifyOrder(publicOf(keyOf(1)), mint, o.version, s, v.Signature); err != nil {
			t.Error(err)
		}
		list = append(list, v)
	}
	got, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(vectors, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the generated; -update writes it again", vectors)
	}
}

// TestOrderTextIsUnambiguous tests that an order's text is not a transaction, and that each of its
// lines is exactly one fact as a wallet shows it.
func TestOrderTextIsUnambiguous(t *testing.T) {
	t.Parallel()
	mint := publicOf(keyOf(9))
	for _, o := range orders() {
		promises := min(1, o.settings.MinimumHoldersBps)
		text := terms.OrderText(mint, o.version, o.settings)
		if _, err := wire.ParseMessage([]byte(text)); err == nil {
			t.Errorf("%s: it is a message of a transaction", o.name)
		}
		if _, err := wire.ParseTransaction([]byte(text)); err == nil {
			t.Errorf("%s: it is a transaction", o.name)
		}
		if lines := strings.Split(text, "\n"); len(lines) != 11+len(o.settings.CreatorSplits.List())+len(o.settings.RewardBasis)/4+promises+len(o.settings.ChangeDelay)/2 || strings.TrimSpace(text) != text {
			t.Errorf("%s: %d lines: %q", o.name, len(lines), text)
		}
		for _, c := range text {
			if (c < ' ' || c > '~') && c != '\n' {
				t.Errorf("%s: %q in the text", o.name, c)
			}
		}
	}
}

// TestVerifyOrderRejectsOtherFacts tests that a signature holds for exactly one order: every other
// mint, version or setting is rejected.
func TestVerifyOrderRejectsOtherFacts(t *testing.T) {
	t.Parallel()
	creator, mint := keyOf(1), publicOf(keyOf(9))
	was := orders()[1].settings
	signature := signed(creator, terms.OrderText(mint, 2, was))
	check := func(what string, creator, mint solana.PublicKey, number int64, s terms.Settings, signature solana.Signature, want error) {
		t.Helper()
		if err := terms.VerifyOrder(creator, mint, number, s, signature); !errors.Is(err, want) {
			t.Errorf("VerifyOrder(), %s: %v, want %v", what, err, want)
		}
	}
	check("itself", publicOf(creator), mint, 2, was, signature, nil)
	check("another wallet", publicOf(keyOf(2)), mint, 2, was, signature, terms.ErrNotOrdered)
	check("another token", publicOf(creator), publicOf(keyOf(8)), 2, was, signature, terms.ErrNotOrdered)
	check("another version", publicOf(creator), mint, 3, was, signature, terms.ErrNotOrdered)
	check("none", publicOf(creator), mint, 2, was, solana.Signature{}, terms.ErrNotOrdered)
	// A key of small order: this signature of it, that of the identity, is good for any text.
	weak, forged := solana.PublicKey{1}, solana.Signature{1}
	if !ed25519.Verify(weak[:], []byte(terms.OrderText(mint, 2, was)), forged[:]) {
		t.Error("the forgery changes nothing")
	}
	check("a key of small order", weak, mint, 2, was, forged, terms.ErrNotOrdered)
	for what, patch := range map[string]terms.Patch{
		"interval":        {Interval: new(terms.EveryHour)},
		"reward":          {RewardToken: new(terms.RewardSOL)},
		"minimum":         {MinimumHolding: new(uint64(1))},
		"sale":            {SellBps: new(126)},
		"burn":            {BurnBps: new(3_334)},
		"fee":             {DeveloperFeeBps: new(30)},
		"developer":       {DeveloperWallet: new(publicOf(creator))},
		"pause":           {Enabled: new(false)},
		"burn and fee":    {BurnBps: new(29), DeveloperFeeBps: new(3_333)},
		"sale and burn":   {SellBps: new(3_333), BurnBps: new(125)},
		"everything else": {Interval: new(terms.EveryHour), Enabled: new(false), SellBps: new(100)},
	} {
		check(what, publicOf(creator), mint, 2, patch.Apply(was), signature, terms.ErrNotOrdered)
	}
	check("another group", publicOf(creator), mint, 2, terms.Patch{TelegramGroupID: new("@other")}.Apply(was), signature, nil)
}

// TestOrdersOfHardwareWallets tests that a signature of the wallets' libraries over an order's
// text, as an off-chain message too, is accepted as the creator's.
func TestOrdersOfHardwareWallets(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../platform/auth/testdata/wallets.json")
	if err != nil {
		t.Fatal(err)
	}
	var wallets struct {
		Wallet     solana.PublicKey
		Texts      map[string]string
		Signatures []struct{ Form, Text, Signature string }
	}
	if err := json.Unmarshal(raw, &wallets); err != nil {
		t.Fatal(err)
	}
	mint, checked := publicOf(keyOf(9)), 0
	for _, o := range orders() {
		if terms.OrderText(mint, o.version, o.settings) != wallets.Texts["order"] {
			continue
		}
		for _, v := range wallets.Signatures {
			signature, err := hex.DecodeString(v.Signature)
			if err != nil {
				t.Fatal(err)
			}
			err = terms.VerifyOrder(wallets.Wallet, mint, o.version, o.settings, solana.Signature(signature))
			if want := v.Text == "order"; (err == nil) != want {
				t.Errorf("%s of the %s: %v", v.Form, v.Text, err)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("no order has the text that was signed")
	}
}
