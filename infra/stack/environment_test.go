package stack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

const (
	root       = "../.."
	modulePath = "tokenlaunch.example/service/"
)

// environmentRead finds the variables that a function's code reads: the env tags
// of its own structs and of those that they hold from our other packages.
// The value reports whether the function starts without it.
func environmentRead(t *testing.T, dir string) map[string]bool {
	t.Helper()
	optional := map[string]bool{}
	for _, file := range parseFolder(t, dir) {
		ast.Inspect(file, func(node ast.Node) bool {
			if fields, ok := node.(*ast.StructType); ok {
				readTags(t, dir, file, fields, optional)
			}
			return true
		})
	}
	return optional
}

func readTags(t *testing.T, dir string, file *ast.File, fields *ast.StructType, optional map[string]bool) {
	t.Helper()
	for _, field := range fields.Fields.List {
		if field.Tag != nil {
			tag, err := strconv.Unquote(field.Tag.Value)
			if err != nil {
				t.Fatal(err)
			}
			name, rest, _ := strings.Cut(reflect.StructTag(tag).Get("env"), ",")
			// Those that begin with AWS_ come from Lambda itself.
			if name != "" && !strings.HasPrefix(name, "AWS_") {
				optional[name] = !slices.Contains(strings.Split(rest, ","), "required")
			}
			continue
		}
		if embedded, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 {
			readNamed(t, dir, embedded.Name, optional)
		}
		if selector, ok := field.Type.(*ast.SelectorExpr); ok {
			if dir := folderOf(file, selector.X.(*ast.Ident).Name); dir != "" {
				readNamed(t, dir, selector.Sel.Name, optional)
			}
		}
	}
}

// readNamed reads the tags of the struct with this name.
func readNamed(t *testing.T, dir, name string, optional map[string]bool) {
	t.Helper()
	for _, file := range parseFolder(t, dir) {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok && spec.Name.Name == name {
				if fields, ok := spec.Type.(*ast.StructType); ok {
					readTags(t, dir, file, fields, optional)
				}
			}
			return true
		})
	}
}

// folderOf is the directory of our package that the file calls name, or empty.
func folderOf(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		inside, ours := strings.CutPrefix(path, modulePath)
		called := filepath.Base(path)
		if spec.Name != nil {
			called = spec.Name.Name
		}
		if ours && called == name {
			return filepath.Join(root, inside)
		}
	}
	return ""
}

func parseFolder(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no Go files in %s (%v)", dir, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// environment lists the names of each function's variables.
func (tpl template) environment() map[string][]string {
	names := map[string][]string{}
	for name, r := range tpl.of("AWS::Lambda::Function") {
		variables, _ := r.at("Environment", "Variables").(map[string]any)
		for variable := range variables {
			names[functionOf(name)] = append(names[functionOf(name)], variable)
		}
	}
	return names
}

// Everything optional is set in this template, so it must name exactly the variables that the code
// reads.
func TestVariablesMatchCode(t *testing.T) {
	environment := synthesize(t, "dev").environment()
	for _, name := range functionNames {
		// TestNodesAreInTheOpenOrInASecret has this one.
		if slices.Contains(environment[name], "RPC_SECRET") {
			environment[name] = append(environment[name], "RPC_URL")
		}
		// TestFunctionsBehindTheFrontKnowIt has this one.
		if slices.Contains(behindFront, name) {
			environment[name] = append(environment[name], "ORIGIN_SECRET")
		}
		// TestRecoveredStackHasTime has this one.
		if slices.Contains(recovering, name) {
			environment[name] = append(environment[name], "RECOVERED")
		}
		// TestSmallProfileMetricsMatchAlarms has this one.
		if slices.Contains(environment[name], "METRIC_NAMESPACE") {
			environment[name] = append(environment[name], "METRICS")
		}
		// In the replica's stack the deriver has no signer to call.
		if name == "deriver" {
			environment[name] = append(environment[name], "WALLET_KEY_ID")
		}
		// TestAdoptedRootsReachFunctions has these.
		switch name {
		case "signer", "deriver":
			environment[name] = append(environment[name], "WALLET_ROOTS")
		case "tokens":
			environment[name] = append(environment[name], "WALLET_ROOT")
		}
		// TestAllowedOriginsReachAuth has this one.
		if name == "auth" {
			environment[name] = append(environment[name], "ALLOWED_ORIGINS")
		}
		// Only the local stage has markets of its own.
		if name == "docs" {
			environment[name] = append(environment[name], "PAGE_MARKETS")
		}
		var reads []string
		for variable := range environmentRead(t, filepath.Join(root, "functions", name)) {
			reads = append(reads, variable)
		}
		wantLines(t, name, environment[name], reads)
	}
}

// TestAllowedOriginsReachAuth, which names their domains in sign-in messages.
func TestAllowedOriginsReachAuth(t *testing.T) {
	s := settings(t, "dev")
	s.AllowedOrigins = "https://page.example,https://other.example"
	got := map[string]string{}
	for name, r := range synthesizeWith(t, s).of("AWS::Lambda::Function") {
		if value := r.at("Environment", "Variables", "ALLOWED_ORIGINS"); value != nil {
			got[name] = text(value)
		}
	}
	if len(got) != 1 || got["AuthFunction"] != s.AllowedOrigins {
		t.Errorf("the allowed origins are with %v, want only auth", got)
	}
}

// Without the optional settings the required variables still exist, and no variable is empty or
// refers to a secret without a name.
func TestFunctionsStartWithoutOptionalVariables(t *testing.T) {
	s := settings(t, "dev")
	s.Secrets = stack.Secrets{"rpcSecret": s.Secrets["rpcSecret"]}
	s.Pins, s.Exchanges, s.ExchangeURL, s.AlarmTopic, s.GuardianKey, s.GuardianURL = "", "", "", "", "", ""
	tpl := synthesizeWith(t, s)
	environment := tpl.environment()
	left := []string{"GUARDIAN", "GUARDIAN_URL", "PINS", "EXCHANGES", "EXCHANGE_URL", "RPC_URL"}
	for variable := range secretVariables {
		if variable != "RPC_SECRET" {
			left = append(left, variable)
		}
	}
	for _, name := range functionNames {
		for _, variable := range left {
			if slices.Contains(environment[name], variable) {
				t.Errorf("%s has %s although it is not set", name, variable)
			}
		}
		for variable, optional := range environmentRead(t, filepath.Join(root, "functions", name)) {
			if !optional && !slices.Contains(environment[name], variable) {
				t.Errorf("%s requires %s", name, variable)
			}
		}
	}
	for name, r := range tpl.of("AWS::CloudWatch::Alarm") {
		if r.at("AlarmActions") != nil {
			t.Errorf("%s sends alarms, and no topic exists", name)
		}
	}
}

// Program addresses differ only on devnet.
func TestMarketProgramsMatchNetwork(t *testing.T) {
	for network, want := range map[string]string{"devnet": "devnet", "mainnet": "mainnet", "localnet": "mainnet"} {
		s := settings(t, "dev")
		s.Network = network
		for name, r := range synthesizeWith(t, s).of("AWS::Lambda::Function") {
			if value := r.at("Environment", "Variables", "MARKETS_NETWORK"); value != nil {
				wantEqual(t, name+" on "+network, text(value), want)
			}
		}
	}
}

// A directory without a function in the stack, or the reverse, is a mistake. The guardian has a
// stack of its own (infra/guardian), in another account.
func TestEveryFunctionIsDeployed(t *testing.T) {
	folders, err := os.ReadDir(filepath.Join(root, "functions"))
	if err != nil {
		t.Fatal(err)
	}
	var have, want []string
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(root, "functions", folder.Name(), "main.go")); err == nil && folder.Name() != "guardian" {
			want = append(want, folder.Name())
		}
	}
	for name := range synthesize(t, "dev").of("AWS::Lambda::Function") {
		have = append(have, functionOf(name))
	}
	wantLines(t, "functions", have, want)
	wantLines(t, "functions that these tests know", functionNames, want)
}

func TestVariablesPointAtTheirResources(t *testing.T) {
	want := map[string]string{
		"LAUNCH_TABLE": "LaunchTable", "WINDOW_TABLE": "WindowTable", "ASSET_BUCKET": "AssetBucket",
		"SETTINGS_TABLE": "SettingsTable", "LEDGER_TABLE": "LedgerTable", "LEDGER_BUCKET": "LedgerBucket",
		"DISPATCH_QUEUE_URL": "DispatchQueue", "RUN_QUEUE_URL": "RunQueue", "PAYOUT_QUEUE_URL": "PayoutQueue", "NOTICE_QUEUE_URL": "NoticeQueue", "NOTICE_DEAD_LETTER_QUEUE_URL": "NoticeDeadLetterQueue",
		"DISPATCH_DEAD_LETTER_QUEUE_URL": "DispatchDeadLetterQueue", "RUN_DEAD_LETTER_QUEUE_URL": "RunDeadLetterQueue",
		"PAYOUT_DEAD_LETTER_QUEUE_URL": "PayoutDeadLetterQueue",
		"WEBHOOK_TABLE":                "WebhookTable", "WEBHOOK_QUEUE_URL": "WebhookQueue", "WEBHOOK_DEAD_LETTER_QUEUE_URL": "WebhookDeadLetterQueue",
		"EVENT_DEAD_LETTER_QUEUE_URL": "WebhookDeadLetterQueue", "WEBHOOK_KEY_ID": "WebhookKey", "WEBHOOK_LOOPBACK": "false",
		"PAYOUT_VERSION": "1",
		"EXCHANGES":      "jupiter", "EXCHANGE_URL": "https://exchange.example",
		"GUARDIAN": treasury, "GUARDIAN_URL": "https://guardian.example",
		"TELEGRAM_API_URL": "https://api.telegram.org",
		"PIN_QUEUE_URL":    "PinQueue", "PIN_DEAD_LETTER_QUEUE_URL": "PinDeadLetterQueue", "DERIVER_FUNCTION": "DeriverFunction", "SIGNER_FUNCTION": "SignerFunction",
		"CAPS_TABLE": "CapsTable", "SIGNER_RUN_LAMPORTS": "200000000000", "SIGNER_WALLET_DAY_LAMPORTS": "500000000000",
		"SIGNER_DAY_LAMPORTS": "5000000000000", "SIGNER_RUN_SUPPLY_BPS": "500", "SIGNER_WALLET_DAY_SUPPLY_BPS": "2500", "HANDOVER_DELAY": "168h",
		"JWT_KEY_IDS": "TokenKey", "NONCE_KEY_ID": "NonceKey", "MINT_KEY_ID": "MintKey", "LAUNCH_LIFETIME": "nonce", "WALLET_KEY_ID": "WalletKey",
		"PUBLIC_URL": "Api.ApiEndpoint", "JWT_ISSUER": "Api.ApiEndpoint", "JWT_AUDIENCE": "token-launch",
		"CANARY_MINT": treasury, "STAGE": "dev", "NETWORK": "devnet", "LOG_LEVEL": "info", "METRIC_NAMESPACE": "AWS::StackName",
		"MARKETS_NETWORK": "devnet", "TREASURY_ADDRESS": treasury,
		"IPFS_API_URL": "https://ipfs.example", "PINS": "pinata,kubo",
		"VERSION": "1.2.0", "REPORT_URL": "mailto:abuse@api.example",
		"PAGE_RPC_URL": "https://api.devnet.solana.com", "PAGE_BURNER": "false",
		"NONCE_POOL_MIN": "5", "NONCE_POOL_MAX": "200", "LEASES_PER_IP": "20",
		"SPREAD_SECONDS": "900", "WALLET_FUNDING_LAMPORTS": "20000000", "PRIORITY_FEE_MICROLAMPORTS": "10000", "PRIORITY_FEE_MAX_MICROLAMPORTS": "1000000",
	}
	maps.Copy(want, secretVariables)
	for name, r := range synthesize(t, "dev").of("AWS::Lambda::Function") {
		variables, _ := r.at("Environment", "Variables").(map[string]any)
		for variable, value := range variables {
			if slices.Contains([]string{"IPFS_GATEWAY_URL", "PAGE_FILES_URL", "PAGE_PROOF_URL"}, variable) {
				continue // TestPicturesAndProofsHaveTheirAddresses
			}
			wantEqual(t, name+" "+variable, text(value), want[variable])
		}
	}
}
