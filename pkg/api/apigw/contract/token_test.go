package contract_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/token"
)

// TestMarketsOfAToken tests the fields of the record that exist only if the token has a market, was
// featured or winds down. The tests of endpoint tokens cover the other fields.
func TestMarketsOfAToken(t *testing.T) {
	at := time.Date(2026, 11, 22, 1, 2, 3, 4_000_000, time.UTC)
	address := func(n byte) solana.PublicKey { return solana.PublicKey{31: n} }
	got := contract.NewToken(token.Record{
		FeaturedUntil: at,
		WindDown:      token.WindDown{At: at.Add(time.Hour)},
		Launchpad:     &token.Launchpad{Pool: address(1), State: token.CurveCompleted},
		Pools: []token.Pool{
			{Kind: token.MeteoraDAMMv2, Address: address(1), TokenVault: address(2), SOLVault: address(3), CreatedAt: at},
			{Kind: token.RaydiumCPMM, Address: address(4), TokenVault: address(5), SOLVault: address(6), LPMint: address(7), CreatedAt: at.Add(time.Hour)},
		},
		OtherPools: []token.Pool{{Kind: token.RaydiumCPMM, Address: address(8), Creator: address(9), CreatedAt: at}},
	}, "")
	text, err := json.Marshal(struct {
		Until *string             `json:"featuredUntil"`
		Winds *string             `json:"windsDownAt"`
		Curve *contract.Launchpad `json:"launchpad"`
		Pools []contract.Pool     `json:"pools"`
		Other []contract.Pool     `json:"otherPools"`
	}{got.FeaturedUntil, got.WindsDownAt, got.Launchpad, got.Pools, got.OtherPools})
	a := func(n byte) string { return `"` + address(n).String() + `"` }
	want := `{"featuredUntil":"2026-11-22T01:02:03.004Z","windsDownAt":"2026-11-22T02:02:03.004Z","launchpad":{"bondingCurveId":` + a(1) + `,"status":"completed"},` +
		`"pools":[{"kind":"meteora-damm-v2","address":` + a(1) + `,"creator":` + a(0) + `,"official":true,"vaults":{"token":` + a(2) + `,"sol":` + a(3) + `},"createdAt":"2026-11-22T01:02:03.004Z"},` +
		`{"kind":"raydium-cpmm","address":` + a(4) + `,"creator":` + a(0) + `,"official":true,"lpMint":` + a(7) + `,"vaults":{"token":` + a(5) + `,"sol":` + a(6) + `},"createdAt":"2026-11-22T02:02:03.004Z"}],` +
		`"otherPools":[{"kind":"raydium-cpmm","address":` + a(8) + `,"creator":` + a(9) + `,"official":false,"vaults":{"token":` + a(0) + `,"sol":` + a(0) + `},"createdAt":"2026-11-22T01:02:03.004Z"}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v, got\n%s, want\n%s", err, text, want)
	}
}
