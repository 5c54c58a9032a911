package stack_test

import (
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// gets is what a stage has of everything that stages differ in.
type gets struct {
	deletion           string // policy of what holds data
	deletionProtection bool
	recoveryDays       string
	logDays            string
}

func whatGets(t *testing.T, s stack.Settings) gets {
	t.Helper()
	tpl := synthesizeWith(t, s)
	ledger := tpl.of("AWS::DynamoDB::GlobalTable")["LedgerTable"]
	replica := list(ledger.at("Replicas"))[0]
	return gets{
		deletion:           ledger.DeletionPolicy,
		deletionProtection: at(replica, "DeletionProtectionEnabled") == true,
		recoveryDays:       text(at(replica, "PointInTimeRecoverySpecification", "RecoveryPeriodInDays")),
		logDays:            text(tpl.of("AWS::Logs::LogGroup")["PayerLog"].at("RetentionInDays")),
	}
}

func TestStagesGetWhatTheyShould(t *testing.T) {
	for _, test := range []struct {
		stage, network string
		want           gets
	}{
		{"local", "localnet", gets{deletion: "Delete", logDays: "7"}},
		{"dev", "devnet", gets{deletion: "Delete", logDays: "7"}},
		{"somebody", "devnet", gets{deletion: "Delete", logDays: "7"}},
		{"staging", "devnet", gets{deletion: "Delete", recoveryDays: "7", logDays: "30"}},
		{"prod", "devnet", gets{deletion: "Retain", deletionProtection: true, recoveryDays: "35", logDays: "90"}},
		{"prod", "mainnet", gets{deletion: "Retain", deletionProtection: true, recoveryDays: "35", logDays: "90"}},
		// Money is money, whatever the stage is called.
		{"dev", "mainnet", gets{deletion: "Retain", deletionProtection: true, recoveryDays: "35", logDays: "7"}},
	} {
		s := settings(t, test.stage)
		s.Network = test.network
		wantEqual(t, test.stage+" on "+test.network, whatGets(t, s), test.want)
	}
}
