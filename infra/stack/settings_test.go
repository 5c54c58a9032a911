package stack_test

import (
	"maps"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

func read(context map[string]string) (stack.Settings, error) {
	return stack.ReadSettings(context)
}

func TestSettingsHaveDefaults(t *testing.T) {
	have, err := read(map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury})
	if err != nil {
		t.Fatal(err)
	}
	want := stack.Settings{
		Stage: "dev", Network: "devnet", Arch: "arm64", RPCURL: "https://api.devnet.solana.com",
		IPFSAPIURL: "http://ipfs.example:5001", IPFSGatewayURL: "https://ipfs.io", TreasuryAddress: treasury,
		ExchangeKind: "none", TelegramAPIURL: "https://api.telegram.org",
		FunctionsDir: "../.build/functions", CodeBucket: "cdk-assets", LogLevel: "info", TokenKeys: "TokenKey",
		Name: "token-launch-dev", KeyAdminRole: "token-launch-key-admin",
		LeasesPerIP: 20, NoncePoolMax: 200, NoncePoolMin: 5, WalletFundingLamports: 20_000_000, PriorityFeeMicrolamports: 10_000,
		SpreadSeconds: 900,
	}
	wantEqual(t, "settings", have, want)
}

// The token's own pools are found on the chain.
func TestPoolsNeedNoAddress(t *testing.T) {
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "exchangeKind": "pools"}
	if have, err := read(context); err != nil || have.ExchangeKind != "pools" {
		t.Errorf("kind %q, %v", have.ExchangeKind, err)
	}
}

func TestTheLocalStage(t *testing.T) {
	have, err := read(map[string]string{
		"stage": "local", "rpcUrl": "http://127.0.0.1:8899/?api-key=local", "ipfsApiUrl": "http://u:p@127.0.0.1:5001", "treasuryAddress": treasury,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "network", have.Network, "localnet")
	wantEqual(t, "local", have.Local(), true)
}

func TestSettingsSayWhatIsWrong(t *testing.T) {
	good := map[string]string{
		"stage": "prod", "network": "mainnet", "rpcUrl": "https://rpc.example/v1", "pinataSecret": "pinata",
		"treasuryAddress": treasury, "publicUrl": "https://api.example", "alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms",
		"replicaRegion": replicaRegion,
	}
	if _, err := read(good); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, value, want string }{
		{"stage", "Prod", "stage is \"Prod\""},
		{"stage", "a-name-that-is-much-too-long", "stage is"},
		{"network", "testnet", "network is \"testnet\""},
		{"rpcUrl", "", "rpcSecret is not set: name the secret with the address of a node of mainnet"},
		{"rpcUrl", "{{resolve:secretsmanager:solana-rpc}}", "rpcUrl is a reference to a secret"},
		{"rpcUrl", "https://rpc.example https://user:pass@rpc.example", "rpcUrl holds what may be a key"},
		{"rpcUrl", "https://rpc.example/?api-key=x", "rpcUrl holds what may be a key"},
		{"rpcUrl", "https://rpc.example/v2/0123456789abcdef", "rpcUrl holds what may be a key"},
		{"rpcUrl", "rpc.example", "rpcUrl holds what may be a key"},
		{"rpcSecret", "solana-rpc", "rpcUrl and rpcSecret are both set"},
		{"rpcSecret", "https://rpc.example/?api-key=x", "rpcSecret is not the name"},
		{"rpcSecret2", "arn:aws:secretsmanager:us-east-1:000000000000:secret:rpc", "rpcSecret2 is not the name"},
		{"telegramSecret", "123456:AAbot", "telegramSecret is not the name"},
		{"heliusSecret", "{{resolve:secretsmanager:helius}}", "heliusSecret is a reference"},
		{"rpcUrl2", "https://rpc2.example", "rpcUrl2 is not taken any more"},
		{"heliusUrl", "https://helius.example", "name that in heliusSecret"},
		{"ipfsApiUrl", "https://user:pass@ipfs.example", "ipfsApiUrl holds a password"},
		{"exchangeUrl", "https://user:pass@exchange.example", "exchangeUrl holds a password"},
		{"arch", "amd64", "arch is \"amd64\""},
		{"pinataSecret", "", "ipfsApiUrl is not set"},
		{"ipfsApiUrl", "localhost:5001", "ipfsApiUrl is not an http or https address"},
		{"ipfsGatewayUrl", "ftp://ipfs.example", "ipfsGatewayUrl is not an http or https address"},
		{"publicUrl", "api.example", "publicUrl is not an http or https address"},
		{"logLevel", "loud", "logLevel is \"loud\""},
		{"tokenKeys", "Key", "tokenKeys is \"Key\""},
		{"tokenKeys", "TokenKey,", "tokenKeys is"},
		{"tokenKeys", "TokenKey2,TokenKey,TokenKey2", "tokenKeys is"},
		{"leasesPerIp", "many", "leasesPerIp is \"many\""},
		{"noncePoolMax", "-1", "noncePoolMax is \"-1\""},
		{"exchangeKind", "market", "exchangeKind is \"market\""},
		{"exchangeKind", "jupiter", "exchangeUrl is not set"},
		{"exchangeKind", "jupiter+pools", "exchangeUrl is not set"},
		{"exchangeKind", "maker", "that market exists for tests"},
		{"exchangeUrl", "exchange.example", "exchangeUrl is not an http or https address"},
		{"telegramApiUrl", "telegram.example", "telegramApiUrl is not an http or https address"},
		{"spreadSeconds", "901", "spreadSeconds is 901"},
		{"treasuryAddress", "", "treasuryAddress is not set"},
		{"treasuryAddress", treasury[1:] + "0", "treasuryAddress is"},
		{"treasuryAddress", treasury[2:], "treasuryAddress is"},
		{"treasuryAddress", "11111111111111111111111111111111", "treasuryAddress is"},
		{"replicaRegion", "", "replicaRegion is not set: name a second Region"},
		{"replicaRegion", "Ireland", "replicaRegion is \"Ireland\": it must be the name of a Region"},
		{"replicaAlarmTopic", "alarms", "replicaAlarmTopic is \"alarms\": it must be the ARN"},
		{"replicaAlarmTopic", "arn:aws:sns:us-east-1:000000000000:alarms", "it must be in the Region \"eu-west-1\""},
		{"keyAdminRole", "a role", "keyAdminRole is \"a role\": it must be the name of a role"},
		{"keyAdminRole", "*", "keyAdminRole is \"*\""},
		{"trail", "yes", "trail is \"yes\""},
		{"alarmTopic", "alarms", "alarmTopic is \"alarms\""},
		{"walletFundingLamports", "0.02", "walletFundingLamports is \"0.02\""},
	}
	for _, test := range tests {
		context := maps.Clone(good)
		context[test.name] = test.value
		if _, err := read(context); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, err, test.want)
		}
	}
}

// A replica beside its key would go with it.
func TestTheReplicaIsInAnotherRegion(t *testing.T) {
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "replicaRegion": "eu-west-1"}
	for region, want := range map[string]string{"": "", "us-east-1": "", "eu-west-1": "it must be another Region than the stack's own"} {
		context["region"] = region
		_, err := read(context)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("in %q: %v, want %q", region, err, want)
		}
	}
	context["stage"], context["rpcUrl"] = "local", "http://127.0.0.1:8899"
	if _, err := read(context); err == nil || !strings.Contains(err.Error(), "the local stage has no replica") {
		t.Errorf("locally: %v", err)
	}
}

func TestSettingsNameEverythingAtOnce(t *testing.T) {
	_, err := read(map[string]string{"arch": "amd64", "network": "mainnet", "ipfsApiUrl": "http://u:pass%word@x"})
	for _, want := range []string{"arch", "rpcSecret", "ipfsApiUrl", "treasuryAddress"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "pass") {
		t.Errorf("%v shows a password", err)
	}
}
