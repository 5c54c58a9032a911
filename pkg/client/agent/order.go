package agent

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/google/jsonschema-go/jsonschema"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// orderInput is the token to launch. The agent itself adds the distribution wallet.
type orderInput struct {
	client.TokenCreation

	Picture        string `json:"picture,omitempty" jsonschema:"file name of a PNG or JPEG in the folder that the user named"`
	Tokens         string `json:"tokens,omitempty" jsonschema:"the whole supply in whole tokens, such as 1000000; in place of supply"`
	MinimumHolding string `json:"minimumHoldingTokens,omitempty" jsonschema:"whole tokens that a holder must have to be paid, such as 1.5; in place of minimumHoldingRequirement"`
}

// creation returns the token to launch, with amounts in base units.
func (in orderInput) creation() (client.TokenCreation, error) {
	asked, none := in.TokenCreation, client.TokenCreation{}.Supply
	if (in.Tokens == "") == (asked.Supply == none) {
		return asked, errors.New("supply and tokens: give one of them, the supply in base units or in whole tokens")
	}
	if in.MinimumHolding != "" && asked.MinimumHoldingRequirement != nil {
		return asked, errors.New("minimumHoldingRequirement and minimumHoldingTokens: give one of them")
	}
	if !slices.Contains(token.Decimals(), asked.Decimals) {
		return asked, fmt.Errorf("decimals: must be one of %v", token.Decimals())
	}
	var err error
	if in.Tokens != "" {
		if asked.Supply, err = client.ParseTokens(in.Tokens, asked.Decimals); err != nil {
			return asked, fmt.Errorf("tokens: %w", err)
		}
	}
	if in.MinimumHolding != "" {
		minimum, err := client.ParseTokens(in.MinimumHolding, asked.Decimals)
		if err != nil {
			return asked, fmt.Errorf("minimumHoldingTokens: %w", err)
		}
		asked.MinimumHoldingRequirement = &minimum
	}
	return asked, nil
}

// orderSchema returns the schema of orderInput: the JSON properties of client.TokenCreation without
// the wallet, with a picture as an alternative to the picture's address.
func orderSchema() *jsonschema.Schema {
	schema := schemaOf[orderInput]()
	delete(schema.Properties, "walletId")
	schema.PropertyOrder = slices.DeleteFunc(schema.PropertyOrder, func(name string) bool { return name == "walletId" })
	schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool {
		return name == "walletId" || name == "imageUri" || name == "supply"
	})
	for _, n := range token.Decimals() {
		schema.Properties["decimals"].Enum = append(schema.Properties["decimals"].Enum, n)
	}
	schema.Properties["imageUri"].Description = "in place of picture: the address of an uploaded picture"
	return schema
}

// schemaOf returns the schema of an input. The descriptions of a request's fields come from the
// API's document.
func schemaOf[In any]() *jsonschema.Schema {
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[client.Amount]():         text,
		reflect.TypeFor[client.Percent]():        number,
		reflect.TypeFor[solana.PublicKey]():      text,
		reflect.TypeFor[client.Interval]():       oneOf(terms.Intervals()),
		reflect.TypeFor[client.RewardBasis]():    oneOf(client.RewardBases()),
		reflect.TypeFor[client.CandleInterval](): oneOf(client.CandleIntervals()),
		reflect.TypeFor[client.TokenOrder]():     oneOf(client.TokenOrders()),
	}})
	if err != nil {
		panic(fmt.Sprintf("the schema of an input: %v", err)) // a type in the code has no schema
	}
	for _, property := range schema.Properties {
		if types := slices.DeleteFunc(property.Types, func(t string) bool { return t == "null" }); len(types) == 1 {
			property.Type, property.Types = types[0], nil // some hosts accept one type only
		}
	}
	return schema
}

// foundSchema returns the schema of found. Each response of the API is an object.
func foundSchema() *jsonschema.Schema {
	schema := schemaOf[found]()
	schema.Properties["found"].Type = "object"
	return schema
}

// oneOf returns the schema of a text with a fixed list of values.
func oneOf[T ~string](list []T) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "string"}
	for _, value := range list {
		schema.Enum = append(schema.Enum, string(value))
	}
	return schema
}
