package stack_test

import (
	"fmt"
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
		Stage: "dev", Profile: "standard", LedgerCopies: "daily", Network: "devnet", Arch: "arm64", RPCURL: "https://api.devnet.solana.com",
		IPFSAPIURL: "http://ipfs.example:5001", IPFSGatewayURL: "https://ipfs.io", TreasuryAddress: treasury,
		PayoutVersion: "1", TelegramAPIURL: "https://api.telegram.org",
		FunctionsDir: "../.build/functions", CodeBucket: "cdk-assets", LogLevel: "info", TokenKeys: "TokenKey",
		Name: "token-launch-dev", KeyAdminRole: "token-launch-key-admin", Qualifier: "hnb659fds",
		LaunchLifetime: "nonce", LeasesPerIP: 20, NoncePoolMax: 200, NoncePoolMin: 5, WalletFundingLamports: 20_000_000, PriorityFeeMicrolamports: 10_000, PriorityFeeMaxMicrolamports: 1_000_000,
		SpreadSeconds: 900, RunConcurrency: 50, PayoutConcurrency: 20, AccountConcurrency: 1000,
		SignerRunSOL: 200, SignerWalletDaySOL: 500, SignerDaySOL: 5_000, SignerRunSupplyBps: 500, SignerWalletDaySupplyBps: 2_500, HandoverDelayHours: 168,
		PageRPCURL: "https://api.devnet.solana.com",
	}
	wantEqual(t, "settings", fmt.Sprintf("%+v", have), fmt.Sprintf("%+v", want))
}

// Each stage with a front has a canary, without a key and at least as often as its alarms need.
func TestCanaryUsesFront(t *testing.T) {
	for _, test := range []struct {
		stage, network, minutes string
		want                    int
	}{{"dev", "devnet", "", 0}, {"dev", "devnet", "5", 5}, {"staging", "devnet", "", 10}, {"staging", "devnet", "0", 0}, {"staging", "devnet", "61", -1}} {
		s, err := read(map[string]string{
			"stage": test.stage, "network": test.network, "canaryMinutes": test.minutes, "ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury,
		})
		if test.want < 0 && (err == nil || !strings.Contains(err.Error(), "canaryMinutes is 61")) || test.want >= 0 && (err != nil || s.CanaryMinutes != test.want) {
			t.Errorf("%+v: CanaryMinutes = %d, %v; want %d", test, s.CanaryMinutes, err, test.want)
		}
	}
	if _, err := read(map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "canaryMint": "x"}); err == nil || !strings.Contains(err.Error(), "canaryMint") {
		t.Errorf("ReadSettings() with canaryMint x: %v, want an error that names it", err)
	}
}

// A wallet whose key is in the browser, and a market that the page trusts, are for no chain
// where money is money.
func TestBurnersAndMarketsAreLocal(t *testing.T) {
	context := map[string]string{
		"stage": "local", "rpcUrl": "http://127.0.0.1:8899", "pageRpcUrl": "http://127.0.0.1:8899", "pageBurner": "true", "pageMarkets": "KEY,OTHER",
		"ipfsApiUrl": "http://127.0.0.1:5001", "treasuryAddress": treasury,
	}
	for _, test := range []struct {
		name, value string
		ok          bool
	}{
		{"stage", "local", true},
		{"network", "localnet", true},
		{"network", "devnet", false},
		{"network", "mainnet", false},
		{"stage", "dev", false},
		{"stage", "other", false},
	} {
		given := maps.Clone(context)
		given[test.name] = test.value
		s, err := read(given)
		if refused := err != nil && strings.Contains(err.Error(), "pageBurner is true"); refused == test.ok || test.ok && (err != nil || !s.PageBurner) {
			t.Errorf("%s=%s: burner %v, %v", test.name, test.value, s.PageBurner, err)
		}
		if refused := err != nil && strings.Contains(err.Error(), "pageMarkets names keys"); refused == test.ok || test.ok && s.PageMarkets != "KEY,OTHER" {
			t.Errorf("%s=%s: markets %q, %v", test.name, test.value, s.PageMarkets, err)
		}
	}
}

// The token's own pools are found on the chain.
func TestPoolsNeedNoAddress(t *testing.T) {
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "exchanges": "pools"}
	if have, err := read(context); err != nil || have.Exchanges != "pools" {
		t.Errorf("exchanges %q, %v", have.Exchanges, err)
	}
}

// Earlier deployments name the exchanges by exchangeKind.
func TestFormerNameOfExchanges(t *testing.T) {
	context := map[string]string{"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury, "exchangeUrl": "https://exchange.example"}
	for former, want := range map[string]string{"none": "", "jupiter": "jupiter", "pools": "pools", "jupiter+pools": "jupiter,pools", "maker": "maker"} {
		context["exchangeKind"] = former
		if have, err := read(context); err != nil || have.Exchanges != want {
			t.Errorf("%s: %q, %v, want %q", former, have.Exchanges, err, want)
		}
	}
	context["exchanges"] = "pools"
	if _, err := read(context); err == nil || !strings.Contains(err.Error(), "exchangeKind is a former name") {
		t.Errorf("both names: %v", err)
	}
}

func TestLocalStage(t *testing.T) {
	have, err := read(map[string]string{
		"stage": "local", "rpcUrl": "http://127.0.0.1:8899/?api-key=local", "ipfsApiUrl": "http://u:p@127.0.0.1:5001", "treasuryAddress": treasury,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "network", have.Network, "localnet")
	wantEqual(t, "local", have.Local(), true)
}

func TestSettingsErrors(t *testing.T) {
	good := map[string]string{
		"stage": "prod", "network": "mainnet", "rpcUrl": "https://rpc.example/v1", "pinataSecret": "pinata",
		"treasuryAddress": treasury, "publicUrl": "https://api.example", "alarmTopic": "arn:aws:sns:us-east-1:000000000000:alarms",
		"replicaRegion": replicaRegion, "trail": "existing", "reportAddress": "abuse@api.example",
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
		{"ipfsApiUrl", "https://user:pass@ipfs.example", "ipfsApiUrl holds a password"},
		{"exchangeUrl", "https://user:pass@exchange.example", "exchangeUrl holds a password"},
		{"arch", "amd64", "arch is \"amd64\""},
		// docs/attacks.md, "Inside": without this setting the alarms of the wallet key receive no events.
		{"trail", "", "trail is not set: on mainnet calls to the wallets' key must raise alarms"},
		{"trail", "false", "trail is not set"},
		{"reportAddress", "", "reportAddress is not set: on mainnet"},
		{"reportAddress", "Abuse <abuse@api.example>", "reportAddress is neither"},
		{"reportAddress", "http://api.example/report", "reportAddress is neither"},
		{"reportAddress", "javascript:alert(1)", "reportAddress is neither"},
		{"pinataSecret", "", "pins has no service: give one of pinataSecret"},
		{"pins", "pinata,kubo", "ipfsApiUrl is not set: give it for pins"},
		{"pins", "elsewhere", "pins is \"elsewhere\": it must be different ones of"},
		{"ipfsApiUrl", "localhost:5001", "ipfsApiUrl is not an http or https address"},
		{"ipfsGatewayUrl", "ftp://ipfs.example", "ipfsGatewayUrl is not an http or https address"},
		{"publicUrl", "api.example", "publicUrl is not an http or https address"},
		{"allowedOrigins", "https://page.example/", "allowedOrigins: the origin \"https://page.example/\" is not as browsers write it"},
		{"allowedOrigins", "https://page.example,*", "allowedOrigins: the origin \"*\" is not"},
		{"allowedOrigins", "http://localhost:3000", "allowedOrigins has http://localhost:3000: on any stage but the local one it must be https"},
		{"logLevel", "loud", "logLevel is \"loud\""},
		{"tokenKeys", "Key", "tokenKeys is \"Key\""},
		{"tokenKeys", "TokenKey,", "tokenKeys is"},
		{"tokenKeys", "TokenKey2,TokenKey,TokenKey2", "tokenKeys is"},
		{"leasesPerIp", "many", "leasesPerIp is \"many\""},
		{"noncePoolMax", "-1", "noncePoolMax is \"-1\""},
		{"version", "v1.2.0", "version is \"v1.2.0\": it must be a version such as 1.2.0"},
		{"payoutVersion", "0", "payoutVersion is \"0\""},
		{"exchangeKind", "market", "exchanges is \"market\""},
		{"exchangeKind", "jupiter", "exchangeUrl is not set"},
		{"exchanges", "pools,jupiter", "exchangeUrl is not set"},
		{"exchanges", "pools,pools", "exchanges is \"pools,pools\": it must be different ones of"},
		{"exchanges", "pools,none", "exchanges is \"pools,none\""},
		{"exchanges", "jupiter,maker", "exchangeUrl is the address of one of jupiter and maker"},
		{"exchanges", "maker", "maker exists for tests"},
		{"guardianUrl", "https://guardian.example", "give all of guardianKey, guardianUrl and guardianSecret"},
		{"exchangeUrl", "exchange.example", "exchangeUrl is not an http or https address"},
		{"telegramApiUrl", "telegram.example", "telegramApiUrl is not an http or https address"},
		{"spreadSeconds", "901", "spreadSeconds is 901"},
		{"runConcurrency", "1", "runConcurrency is 1: it must be 2 to 1000"},
		{"payoutConcurrency", "1001", "payoutConcurrency is 1001: it must be 2 to 1000"},
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
		{"profile", "tiny", "profile is \"tiny\""},
		{"ledgerCopies", "weekly", "ledgerCopies is \"weekly\""},
		{"waf", "false", "waf is false: only with the profile small may it be left out"},
		{"alarmTopic", "alarms", "alarmTopic is \"alarms\""},
		{"alarmEmail", "ops@example.com", "alarmEmail is set, and alarmTopic too"},
		{"monthlyBudget", "1.5", "monthlyBudget is \"1.5\": it must be a whole number"},
		{"accountConcurrency", "0", "accountConcurrency is 0: it must be the account's quota"},
		{"alarmEmail", "Ops <ops@example.com>", "it must be one e-mail address and nothing else"},
		{"network", "", "network is"},
		{"pageRpcUrl", "rpc.example", "pageRpcUrl is not an http or https address"},
		{"pageRpcUrl", "http://rpc.example", "pageRpcUrl begins with http"},
		{"pageRpcUrl", "https://user:pass@rpc.example", "pageRpcUrl holds what may be a key"},
		{"pageRpcUrl", "https://rpc.example/?api-key=x", "pageRpcUrl holds what may be a key"},
		{"pageRpcUrl", "https://rpc.example/v2/0123456789abcdef", "pageRpcUrl holds what may be a key"},
		{"pageRpcUrl", "https://rpc.example https://rpc2.example", "pageRpcUrl is not an http or https address"},
		{"pageBurner", "true", "pageBurner is true: wallets whose keys are in the browser are for the local stage"},
		{"pageMarkets", "KEY", "pageMarkets names keys that the page takes for markets"},
		{"pageBurner", "yes", "pageBurner is \"yes\""},
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

// A replica in the key's own Region would be lost with the key.
func TestReplicaIsInAnotherRegion(t *testing.T) {
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

// A value that nothing reads would be a default in its place, unnoticed.
func TestUnknownValuesAreRefused(t *testing.T) {
	context := map[string]string{
		"ipfsApiUrl": "http://ipfs.example:5001", "treasuryAddress": treasury,
		// CDK's own, and those of its flags, are not ours.
		"@aws-cdk/core:checkSecretUsage": "true", "aws:cdk:enable-path-metadata": "false", "hosted-zone:account=1:domainName=x": "{}",
	}
	if _, err := stack.ReadSettings(context); err != nil {
		t.Fatal(err)
	}
	for name, nearest := range map[string]string{
		"loglevel": "logLevel", "treasury": "treasuryAddress", "rpcsecret": "rpcSecret", "domain": "domainName", "Stage": "stage",
	} {
		context := maps.Clone(context)
		context[name] = ""
		_, err := stack.ReadSettings(context)
		if err == nil || !strings.Contains(err.Error(), name+" is not known: is "+nearest+" meant? There are accountConcurrency, alarmEmail, alarmTopic, allowedOrigins, arch,") {
			t.Errorf("%s: %v, want it to say %s", name, err, nearest)
		}
	}
}

// Settings that a production stage must be given have no default there, and have one on the others.
func TestProdRequiresSettings(t *testing.T) {
	told := map[string]string{
		"stage": "prod", "network": "devnet", "rpcSecret": "rpc", "pinataSecret": "pinata", "treasuryAddress": treasury,
		"publicUrl": "https://api.example", "alarmEmail": "ops@example.com", "replicaRegion": "eu-west-1",
	}
	if _, err := stack.ReadSettings(told); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, value, want string }{
		{"network", "", "network is \"\": the stage prod must be told: devnet or mainnet"},
		{"network", "localnet", "network is \"localnet\": the stage prod must be told"},
		{"alarmEmail", "", "alarmTopic is not set: on the stage prod an operator must hear alarms"},
		{"publicUrl", "", "publicUrl is not set: give the address that callers of the stage prod use, or domainName with certificateArn"},
		{"publicUrl", "http://api.example", "publicUrl begins with http: it must be an https address on the stage prod"},
	} {
		context := maps.Clone(told)
		context[test.name] = test.value
		if _, err := stack.ReadSettings(context); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, err, test.want)
		}
		for _, stage := range []string{"dev", "staging"} {
			context["stage"] = stage
			if _, err := stack.ReadSettings(context); err != nil && test.value == "" {
				t.Errorf("%s without %s: %v", stage, test.name, err)
			}
		}
	}
}

// On mainnet wallets hold money: every stage, whatever its name, needs a recipient of its alarms.
func TestMainnetAlarmsOnEveryStage(t *testing.T) {
	for _, stage := range []string{"dev", "staging", "prod", "other"} {
		context := map[string]string{
			"stage": stage, "network": "mainnet", "rpcSecret": "rpc", "pinataSecret": "pinata", "treasuryAddress": treasury, "trail": "existing",
			"reportAddress": "abuse@example.com", "publicUrl": "https://api.example", "alarmEmail": "ops@example.com", "replicaRegion": "eu-west-1",
		}
		if _, err := stack.ReadSettings(context); err != nil {
			t.Fatalf("ReadSettings(), stage %s: %v", stage, err)
		}
		delete(context, "alarmEmail")
		if _, err := stack.ReadSettings(context); err == nil || !strings.Contains(err.Error(), "alarmTopic is not set") {
			t.Errorf("%s on mainnet without an address for alarms: %v", stage, err)
		}
	}
}

func TestNamesBelongTogether(t *testing.T) {
	const certificate, elsewhere = "arn:aws:acm:us-east-1:000000000000:certificate/1", "arn:aws:acm:eu-west-1:000000000000:certificate/1"
	named := map[string]string{
		"ipfsApiUrl": "https://ipfs.example", "treasuryAddress": treasury,
		"domainName": "api.example.com", "certificateArn": elsewhere, "imageDomain": "images.example.com", "imageCertificateArn": certificate,
		"hostedZoneId": "Z0123456789", "hostedZoneName": "example.com",
	}
	if _, err := stack.ReadSettings(named); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, value, want string }{
		{"certificateArn", "", "certificateArn is not set: give the ARN of the certificate of api.example.com"},
		{"certificateArn", "certificate", "certificateArn is \"certificate\": it must be the ARN of a certificate"},
		{"domainName", "", "domainName is not set, and certificateArn is"},
		{"domainName", "https://api.example.com", "domainName is \"https://api.example.com\": it must be a host name"},
		{"domainName", "API.example.com", "domainName is \"API.example.com\": it must be a host name in lower case"},
		{"domainName", "api.example.org", "domainName is \"api.example.org\": it must be in the zone example.com"},
		{"domainName", "api.notexample.com", "it must be in the zone example.com"},
		{"imageCertificateArn", elsewhere, "CloudFront wants its certificate in us-east-1"},
		{"imageCertificateArn", "", "imageCertificateArn is not set"},
		{"imageDomain", "images", "imageDomain is \"images\": it must be a host name"},
		{"hostedZoneId", "", "hostedZoneId is \"\" and hostedZoneName is \"example.com\": give both or none"},
		{"hostedZoneName", "example", "hostedZoneName is \"example\": it must be a host name"},
		{"publicUrl", "https://other.example", "publicUrl is not https://api.example.com: with domainName leave it out"},
		{"stage", "local", "imageDomain is \"images.example.com\": on the stage local there is no CloudFront"},
	} {
		context := maps.Clone(named)
		context[test.name] = test.value
		if _, err := stack.ReadSettings(context); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%q: %v, want %q", test.name, test.value, err, test.want)
		}
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
