package agent

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

// TestOrderSchemaHasEachField tests that an agent can set every field of a launch.
func TestOrderSchemaHasEachField(t *testing.T) {
	t.Parallel()
	want := []string{"picture", "tokens", "minimumHoldingTokens"}
	for f := range reflect.TypeFor[client.TokenCreation]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "walletId" {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	schema := orderSchema()
	if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, want) {
		t.Errorf("the properties are %v, want %v", got, want)
	}
	for name, property := range schema.Properties {
		if property.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
}

// TestOrderSchemaAcceptsLaunch tests that a launch with every field is valid as JSON, and that the
// types whose JSON differs from Go are checked.
func TestOrderSchemaAcceptsLaunch(t *testing.T) {
	t.Parallel()
	schema, err := orderSchema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	wallet := solana.SystemProgramID
	order := orderInput{Picture: "crane.png", TokenCreation: client.TokenCreation{
		Name: "Paper Crane", Symbol: "CRANE", Decimals: 6, Supply: client.BaseUnits(1_000_000), TransferFeePercent: client.MustPercent("5.25"), BurnPercent: client.MustPercent("0.5"), DeveloperFeePercent: client.MustPercent("1.25"),
		DeveloperWallet: solana.TokenProgramID, RewardBasis: client.BasisHeld, DistributionInterval: client.Every6Hours,
		CreatorSplits:             []client.CreatorSplit{{Wallet: wallet, Percent: client.MustPercent("60.25")}, {Wallet: solana.TokenProgramID, Percent: client.MustPercent("39.75")}},
		MinimumHoldingRequirement: new(client.BaseUnits(7)), TransferFeeAdjustable: true,
	}}
	text, err := json.Marshal(order)
	if err != nil {
		t.Fatal(err)
	}
	valid := func(change map[string]any) error {
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		delete(tree, "walletId")
		delete(tree, "imageUri")
		maps.Copy(tree, change)
		return schema.Validate(tree)
	}
	if err := valid(nil); err != nil {
		t.Errorf("order %s does not match the schema: %v", text, err)
	}
	for name, bad := range map[string]any{
		"supply": 1, "transferFeePercent": "5", "distributionInterval": "7m", "rewardBasis": "hold", "walletId": "w", "creatorSplits": []any{"a"},
	} {
		if valid(map[string]any{name: bad}) == nil {
			t.Errorf("%s %v is accepted", name, bad)
		}
	}
	var back orderInput
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, order) {
		t.Errorf("%+v, want %+v; %v", back, order, err)
	}
}
