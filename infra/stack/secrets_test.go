package stack_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

var everyStage = []string{"local", "dev", "staging", "prod"}

// secretVariables are the variables that name secrets, with the secrets' names in these tests:
// rpcSecret is RpcSecret.
var secretVariables = func() map[string]string {
	names := map[string]string{}
	for _, row := range stack.SecretRows {
		names[row.Variable] = strings.ToUpper(row.Context[:1]) + row.Context[1:]
	}
	return names
}()

// No stage's template makes CloudFormation read a secret, but the one that it made for
// CloudFront itself, or holds what may be one: a
// variable that is called like a secret holds a name, and no address a password or key.
func TestNoTemplateHoldsASecret(t *testing.T) {
	for _, stage := range everyStage {
		tpl := synthesize(t, stage)
		made := strings.ReplaceAll(written(whole(tpl)), "{{resolve:secretsmanager:OriginSecret:SecretString:current::}}", "")
		if strings.Contains(made, "{{resolve") {
			t.Errorf("the template of %s refers to the value of a secret", stage)
		}
		for name, r := range tpl.of("AWS::Lambda::Function") {
			variables, _ := r.at("Environment", "Variables").(map[string]any)
			for variable, value := range variables {
				_, names := secretVariables[variable]
				for _, word := range []string{"SECRET", "TOKEN", "JWT", "PASSWORD", "API_KEY"} {
					// The ids of the keys of tokens are public.
					if strings.Contains(variable, word) && !names && variable != "ORIGIN_SECRET" && !strings.HasPrefix(variable, "JWT_") {
						t.Errorf("%s: %s has %s", stage, name, variable)
					}
				}
				if have := text(value); strings.Contains(have, "://") && strings.ContainsAny(have, "@?") {
					t.Errorf("%s: %s has an address with a key in %s", stage, name, variable)
				}
			}
		}
	}
}

func whole(tpl template) map[string]any {
	all := map[string]any{}
	for id, r := range tpl.Resources {
		all[id] = r.Properties
	}
	for id, o := range tpl.Outputs {
		all[id] = o.Value
	}
	return all
}

// Each function reads the secrets that its variables name, and no other does.
func TestFunctionsReadTheirOwnSecrets(t *testing.T) {
	for _, stage := range everyStage {
		tpl := synthesize(t, stage)
		rights := tpl.rights(t)
		read := map[string]bool{}
		for name, r := range tpl.of("AWS::Lambda::Function") {
			variables, _ := r.at("Environment", "Variables").(map[string]any)
			var have, want []string
			for _, right := range rights[functionOf(name)] {
				if strings.HasPrefix(right, "secretsmanager:") && right != readsOrigin {
					have = append(have, right)
				}
			}
			for variable, secret := range secretVariables {
				if value, ok := variables[variable]; ok {
					wantEqual(t, name+" "+variable, text(value), secret)
					want = append(want, reads(secret)...)
					read[variable] = true
				}
			}
			wantLines(t, stage+" "+name, have, want)
		}
		wantEqual(t, "secrets that are read on "+stage, len(read), len(secretVariables))
	}
}

// A whole ARN is the resource as it is; a name has any six characters after it.
func TestSecretsAreNamedByARN(t *testing.T) {
	const arn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:team/solana-rpc-AbC123"
	s := settings(t, "dev")
	s.Secrets = stack.Secrets{"rpcSecret": arn, "pinataSecret": "team/pinata"}
	rights := synthesizeWith(t, s).rights(t)
	if !slices.Contains(rights["burns"], "secretsmanager:GetSecretValue "+arn) {
		t.Errorf("burns may %v", rights["burns"])
	}
	if !slices.Contains(rights["pinner"], reads("team/pinata")[0]) {
		t.Errorf("pinner may %v", rights["pinner"])
	}
	for name, all := range rights {
		for _, right := range all {
			if strings.HasPrefix(right, "secretsmanager:") && !strings.HasSuffix(right, arn) && !strings.HasSuffix(right, ":secret:team/pinata-??????") {
				t.Errorf("%s may %s", name, right)
			}
		}
	}
}

// The nodes' address is in one variable: an address without a key, or the name of the secret.
func TestNodesAreInTheOpenOrInASecret(t *testing.T) {
	open := settings(t, "dev")
	open.RPCURL, open.Secrets["rpcSecret"] = "https://rpc.example", ""
	public, closed := synthesizeWith(t, open), synthesize(t, "dev")
	inOpen, inSecret := public.environment(), closed.environment()
	for _, name := range slices.Sorted(maps.Keys(inSecret)) {
		asks := slices.Contains(inSecret[name], "RPC_SECRET")
		wantEqual(t, name+" has RPC_URL in the open", slices.Contains(inOpen[name], "RPC_URL"), asks)
		wantEqual(t, name+" has RPC_URL in addition to the secret", slices.Contains(inSecret[name], "RPC_URL"), false)
		wantEqual(t, name+" has RPC_SECRET in the open", slices.Contains(inOpen[name], "RPC_SECRET"), false)
	}
	for name, rights := range public.rights(t) {
		if slices.ContainsFunc(rights, func(right string) bool { return strings.HasSuffix(right, ":secret:RpcSecret-??????") }) {
			t.Errorf("%s may read a secret that it does not have", name)
		}
	}
}
