package pinning_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/functions/internal/pinning"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
)

// store is never read: making clients sends no request.
func store() secretsmanager.Store {
	return secretsmanager.New(aws.Config{Region: "us-east-1", BaseEndpoint: aws.String("http://127.0.0.1:1")}, slog.New(slog.DiscardHandler))
}

func TestPinning(t *testing.T) {
	for _, test := range []struct {
		pinning.Place

		want string
	}{
		{pinning.Place{APIURL: "http://127.0.0.1:5001"}, ""},
		{pinning.Place{Secret: "pinata"}, ""},
		{pinning.Place{APIURL: "http://127.0.0.1:5001", Secret: "pinata"}, ""},
		{pinning.Place{}, "IPFS_API_URL"},
	} {
		pinner, err := test.Pinner(store())
		if test.want == "" && (err != nil || pinner == nil) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.Place, err, test.want)
		}
	}
}
