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

	Picture string `json:"picture,omitempty" jsonschema:"file name of a PNG or JPEG in the folder that the user named"`
}

// orderSchema returns the schema of orderInput: the properties of client.TokenCreation as JSON has
// them, without the wallet, and with a picture in place of its address.
func orderSchema() *jsonschema.Schema {
	schema := schemaOf[orderInput]()
	delete(schema.Properties, "walletId")
	schema.PropertyOrder = slices.DeleteFunc(schema.PropertyOrder, func(name string) bool { return name == "walletId" })
	schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return name == "walletId" || name == "imageUri" })
	schema.Properties["imageUri"].Description = "in place of picture: the address of an uploaded picture"
	return schema
}

// schemaOf returns the schema of an input. The descriptions of a request's fields are those of the
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
	}})
	if err != nil {
		panic(fmt.Sprintf("the schema of an input: %v", err)) // a type in the code has no schema
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
