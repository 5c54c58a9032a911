package guardian_test

import (
	"log/slog"
	"testing"

	"github.com/gagliardetto/solana-go"

	local "tokenlaunch.example/service/infra/local/guardian"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/provider/guardian"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// TestGuardianOfTheLocalStack starts a guardian on the local AWS and chain, and calls it as the service
// does.
func TestGuardianOfTheLocalStack(t *testing.T) {
	g, err := local.Start(t.Context(), localnet.AWS(t).Config(t.Context()), localnet.Chain(t).RPCURL, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	client, err := guardian.New(g.URL, secret.Fixed(g.Token))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.About(t.Context()); err != nil || got.Key != g.Key || got.Delay != local.Delay {
		t.Errorf("About() = %+v, %v; want the key %s and a delay of %s", got, err, g.Key, local.Delay)
	}
	if got, err := client.Newest(t.Context(), solana.NewWallet().PublicKey()); err != nil || got.Number != 0 {
		t.Errorf("Newest() = %+v, %v; want no order", got, err)
	}
}
