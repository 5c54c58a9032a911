package pinning_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// store is never read: making clients sends no request.
func store() secretsmanager.Store {
	return secretsmanager.New(aws.Config{Region: "us-east-1", BaseEndpoint: aws.String("http://127.0.0.1:1")}, slog.New(slog.DiscardHandler))
}

func TestPinning(t *testing.T) {
	const node = "http://127.0.0.1:5001"
	for _, test := range []struct {
		pinning.Place

		want string // the places, or a part of the error
	}{
		{pinning.Place{APIURL: node}, "ipfs.Kubo"},
		{pinning.Place{Secret: "pinata"}, "ipfs.Pinata"},
		{pinning.Place{APIURL: node, Secret: "pinata"}, "ipfs.Pinata"},
		{pinning.Place{APIURL: node, Secret: "pinata", Pins: []string{"kubo"}}, "ipfs.Kubo"},
		{pinning.Place{APIURL: node, Secret: "pinata", Pins: []string{"pinata", "kubo"}}, "ipfs.Pinata ipfs.Kubo"},
		{pinning.Place{}, "IPFS_API_URL"},
		{pinning.Place{APIURL: "nonsense"}, `the place "kubo"`},
		{pinning.Place{APIURL: node, Pins: []string{"pinata"}}, `the place "pinata"`},
		{pinning.Place{Secret: "pinata", Pins: []string{"pinata", "kubo"}}, `the place "kubo"`},
		{pinning.Place{APIURL: node, Pins: []string{"kubo", "filebase"}}, `the place "filebase"`},
	} {
		pinner, err := test.Pinner(store())
		have := fmt.Sprint(err)
		if places, ok := pinner.(ipfs.Places); ok {
			var names []string
			for _, place := range places {
				names = append(names, fmt.Sprintf("%T", place))
			}
			have = strings.Join(names, " ")
		}
		if have != test.want && (err == nil || !strings.Contains(have, test.want)) {
			t.Errorf("%+v: %s, want %s", test.Place, have, test.want)
		}
	}
}
