package agent

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/google/jsonschema-go/jsonschema"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token/terms"
)

// orderInput is the token to launch. The agent itself adds the distribution wallet.
type orderInput struct {
	client.TokenCreation

	Picture string `json:"picture,omitempty"`
}

// descriptions describe the properties of orderInput to an agent.
var descriptions = map[string]string{ //nolint:gosec // names and words, no credentials
	"name":                            "at most 32 characters",
	"symbol":                          "at most 10 characters",
	"description":                     "what the token is",
	"twitter":                         "link to a profile",
	"telegram":                        "link to a group",
	"website":                         "https address",
	"picture":                         "file name of a PNG or JPEG in the folder that the user named",
	"imageUri":                        "in place of picture: the address of an uploaded picture",
	"decimals":                        "6 or 9",
	"supply":                          "the whole supply in base units: tokens times ten to the power of decimals",
	"transferFeePercent":              "tax on every transfer, at most two decimals",
	"burnPercent":                     "share of the tax that is burned",
	"developerFeePercent":             "share of the tax that the creator gets",
	"developerWallet":                 "wallet that gets the creator's share; the creator's own wallet if unset",
	"creatorSplits":                   "two to ten wallets that divide the creator's share in place of developerWallet; the percentages add up to 100",
	"rewardBasis":                     "which balance of a holder counts: snapshot (the default), or held, by which a purchase just before a distribution earns nothing",
	"distributionInterval":            "how often the tax is distributed",
	"rewardToken":                     "SOL, or the mint that holders are paid in",
	"percentageToSellPerDistribution": "share of the collected tax that one distribution uses",
	"minimumHoldingRequirement":       "base units that a holder must have to be paid",
	"transferFeeAdjustable":           "keep the right to change the tax",
	"immutableMetadata":               "lock name, symbol and metadata permanently",
}

// orderSchema returns the schema of orderInput: the properties of client.TokenCreation as JSON has
// them, without the wallet, and with a picture in place of its address.
func orderSchema() *jsonschema.Schema {
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	schema, err := jsonschema.For[orderInput](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[client.Amount]():      text,
		reflect.TypeFor[client.Percent]():     number,
		reflect.TypeFor[solana.PublicKey]():   text,
		reflect.TypeFor[client.Interval]():    oneOf(terms.Intervals()),
		reflect.TypeFor[client.RewardBasis](): oneOf([]client.RewardBasis{client.BasisSnapshot, client.BasisHeld}),
	}})
	if err != nil {
		panic(fmt.Sprintf("the schema of a launch: %v", err)) // a type in the code has no schema
	}
	delete(schema.Properties, "walletId")
	schema.PropertyOrder = slices.DeleteFunc(schema.PropertyOrder, func(name string) bool { return name == "walletId" })
	schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return name == "walletId" || name == "imageUri" })
	for name, property := range schema.Properties {
		property.Description = descriptions[name]
	}
	return schema
}

// oneOf is the schema of a text that is one of a list.
func oneOf[T ~string](list []T) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "string"}
	for _, value := range list {
		schema.Enum = append(schema.Enum, string(value))
	}
	return schema
}
