package stack_test

import (
	"slices"
	"strings"
	"testing"
)

// While the token key is rotated there are two: the first signs, both verify, and
// no role has a right to sign with the other.
func TestTwoTokenKeys(t *testing.T) {
	s := settings(t, "dev")
	s.TokenKeys = "TokenKey2,TokenKey"
	tpl := synthesizeWith(t, s)
	keys := tpl.of("AWS::KMS::Key")
	for _, name := range []string{"TokenKey", "TokenKey2"} {
		wantEqual(t, name, text(keys[name].at("KeySpec"))+" "+text(keys[name].at("KeyUsage")), "ECC_NIST_P256 SIGN_VERIFY")
	}
	for name, r := range tpl.of("AWS::Lambda::Function") {
		if value := r.at("Environment", "Variables", "JWT_KEY_IDS"); value != nil {
			joined := list(at(value, "Fn::Join"))
			wantEqual(t, name+" separator", text(joined[0]), ",")
			if have := texts(joined[1]); !slices.Equal(have, []string{"TokenKey2", "TokenKey"}) {
				t.Errorf("%s: JWT_KEY_IDS %v, want the new key and then the old one", name, have)
			}
		}
	}
	public := slices.Concat(each("TokenKey2.Arn", "kms:GetPublicKey"), each("TokenKey.Arn", "kms:GetPublicKey"))
	want := map[string][]string{
		"authorizer": public, "docs": public, "auth": append(each("TokenKey2.Arn", "kms:Sign"), public...),
	}
	for name, rights := range tpl.rights(t) {
		var have []string
		for _, right := range rights {
			if strings.Contains(right, "TokenKey") {
				have = append(have, right)
			}
		}
		wantLines(t, name, have, want[name])
	}
}
