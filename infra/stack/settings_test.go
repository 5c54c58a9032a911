package stack_test

import (
	"maps"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

func read(context, environment map[string]string) (stack.Settings, error) {
	return stack.ReadSettings(context, func(name string) string { return environment[name] })
}

func TestSettingsHaveDefaults(t *testing.T) {
	have, err := read(map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury},
		map[string]string{"PINATA_JWT": "secret", "TELEGRAM_BOT_TOKEN": "bot"})
	if err != nil {
		t.Fatal(err)
	}
	want := stack.Settings{
		Stage: "dev", Network: "devnet", Arch: "arm64", RPCURL: "https://api.devnet.solana.com",
		IPFSAPIURL: "http://ipfs.example:5001", IPFSGatewayURL: "https://ipfs.io", TreasuryAddress: treasury,
		ExchangeKind: "none", TelegramAPIURL: "https://api.telegram.org",
		FunctionsDir: "../.build/functions", CodeBucket: "cdk-assets", LogLevel: "info", TokenKeys: "TokenKey",
		Name:        "token-launch-dev",
		LeasesPerIP: 20, NoncePoolMax: 200, NoncePoolMin: 5, WalletFundingLamports: 20_000_000, PriorityFeeMicrolamports: 10_000,
		SpreadSeconds: 900,
	}
	wantEqual(t, "settings", have, want)
}

// The token's own pools are found on the chain.
func TestPoolsNeedNoAddress(t *testing.T) {
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "exchangeKind": "pools"}
	if have, err := read(context, nil); err != nil || have.ExchangeKind != "pools" {
		t.Errorf("kind %q, %v", have.ExchangeKind, err)
	}
}

func TestLocalStageTakesTheHostsToken(t *testing.T) {
	have, err := read(map[string]string{"stage": "local", "rpcUrl": "http://127.0.0.1:8899", "treasuryAddress": treasury},
		map[string]string{"PINATA_JWT": "secret", "TELEGRAM_BOT_TOKEN": "bot"})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "bot", have.TelegramToken, "bot")
	wantEqual(t, "network", have.Network, "localnet")
	wantEqual(t, "token", have.PinataJWT, "secret")
	wantEqual(t, "local", have.Local(), true)
}

func TestSettingsSayWhatIsWrong(t *testing.T) {
	good := map[string]string{
		"stage": "prod", "network": "mainnet", "rpcUrl": "https://rpc.example", "pinataSecret": "pinata",
		"treasuryAddress": treasury, "publicUrl": "https://api.example", "alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms",
	}
	if _, err := read(good, nil); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, value, want string }{
		{"stage", "Prod", "stage is \"Prod\""},
		{"stage", "a-name-that-is-much-too-long", "stage is"},
		{"network", "testnet", "network is \"testnet\""},
		{"rpcUrl", "", "rpcUrl is not set: give the RPC endpoint of mainnet"},
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
		{"alarmTopic", "alarms", "alarmTopic is \"alarms\""},
		{"walletFundingLamports", "0.02", "walletFundingLamports is \"0.02\""},
	}
	for _, test := range tests {
		context := maps.Clone(good)
		context[test.name] = test.value
		if _, err := read(context, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, err, test.want)
		}
	}
}

func TestSettingsNameEverythingAtOnce(t *testing.T) {
	_, err := read(map[string]string{"arch": "amd64", "network": "mainnet", "ipfsApiUrl": "http://u:pass%word@x"}, nil)
	for _, want := range []string{"arch", "rpcUrl", "ipfsApiUrl", "treasuryAddress"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "pass") {
		t.Errorf("%v shows a password", err)
	}
}
