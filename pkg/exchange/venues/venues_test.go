package venues_test

import (
	"reflect"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/exchange"
	"tokenlaunch.example/service/pkg/exchange/venues"
	"tokenlaunch.example/service/pkg/jupiter"
	"tokenlaunch.example/service/pkg/maker"
)

func TestOpen(t *testing.T) {
	tests := []struct {
		settings venues.Settings
		want     exchange.Venue // nil: refused
	}{
		{venues.Settings{Kind: "none"}, exchange.None{}},
		{venues.Settings{Kind: "jupiter"}, &jupiter.Client{}},
		{venues.Settings{Kind: "jupiter", URL: jupiter.LiteAPI, APIKey: "key"}, &jupiter.Client{}},
		{venues.Settings{Kind: "maker", URL: "http://127.0.0.1:1"}, &maker.Client{}},
		{venues.Settings{Kind: "maker"}, nil},
		{venues.Settings{Kind: "jupiter", URL: "key-in-an-address"}, nil},
		{venues.Settings{Kind: "orca"}, nil},
		{venues.Settings{}, nil},
	}
	for _, test := range tests {
		got, err := test.settings.Open()
		if (err == nil) != (test.want != nil) || test.want != nil && reflect.TypeOf(got) != reflect.TypeOf(test.want) {
			t.Errorf("%+v opens %T, %v", test.settings, got, err)
		}
		if err != nil && test.settings.URL != "" && strings.Contains(err.Error(), test.settings.URL) {
			t.Errorf("the address shows: %v", err)
		}
	}
}
