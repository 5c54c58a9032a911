package airdrop

import (
	"testing"

	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// A crowd is paid once each: payOnValidator itself looks at every wallet.
func TestAgavePaysACrowd(t *testing.T) {
	consensus, ok := agave.Asked()
	if !ok {
		t.Skip("no validator is asked for: make test-agave sets CHAIN=agave")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	row, err := payOnValidator(t.Context(), folder, consensus, 601)
	if err != nil {
		t.Fatal(err)
	}
	if row[1] != "11" { // of 60 recipients each
		t.Errorf("601 recipients took %s transactions, not 11", row[1])
	}
	t.Log(row)
}
