package stages_test

import (
	"maps"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

func with(t *testing.T, given map[string]string) map[string]string {
	t.Helper()
	values, err := stages.With(given)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestWhatIsGivenWins(t *testing.T) {
	for _, test := range []struct {
		given      map[string]string
		name, want string
	}{
		{nil, "logLevel", "debug"},
		{map[string]string{"stage": "dev"}, "noncePoolMax", "50"},
		{map[string]string{"stage": "dev", "noncePoolMax": "7"}, "noncePoolMax", "7"},
		{map[string]string{"stage": "dev", "logLevel": ""}, "logLevel", ""},
		{map[string]string{"stage": "other"}, "logLevel", "debug"},
		{map[string]string{"stage": "../stages/prod"}, "logLevel", "debug"},
		{map[string]string{"stage": "staging"}, "network", "devnet"},
		{map[string]string{"stage": "prod"}, "network", ""},
		{map[string]string{"stage": "local"}, "network", ""},
	} {
		given := maps.Clone(test.given)
		if have := with(t, test.given)[test.name]; have != test.want {
			t.Errorf("%v: %s is %q, want %q", test.given, test.name, have, test.want)
		}
		if !maps.Equal(given, test.given) {
			t.Errorf("%v was changed into %v", given, test.given)
		}
	}
}

// A file has neither who is paid nor a secret, and nothing that the stack does not know.
func TestFilesHoldWhatMayBeRead(t *testing.T) {
	for _, stage := range []string{"dev", "staging", "prod"} {
		values := with(t, map[string]string{"stage": stage})
		for name := range values {
			if strings.Contains(strings.ToLower(name), "secret") || name == "treasuryAddress" || strings.HasSuffix(name, "Arn") {
				t.Errorf("%s.json holds %s", stage, name)
			}
		}
		maps.Copy(values, map[string]string{
			"treasuryAddress": "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL", "pinataSecret": "pinata", "rpcSecret": "rpc",
			"network": "devnet", "publicUrl": "https://api.example", "alarmEmail": "ops@example.com", "replicaRegion": "eu-west-1",
		})
		if _, err := stack.ReadSettings(values); err != nil {
			t.Errorf("%s.json: %v", stage, err)
		}
	}
}
