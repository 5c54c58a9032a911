package txerror_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/solana/txerror"
)

// FuzzError tests that a decoded error has a text, and decodes to the same error after encoding.
func FuzzError(f *testing.F) {
	for _, seed := range []string{
		`"BlockhashNotFound"`, `{"InsufficientFundsForRent":{"account_index":1}}`, `{"InstructionError":[0,{"Custom":5}]}`,
		`{"InstructionError":[3,"MissingRequiredSignature"]}`, `{"InstructionError":[3,{"BorshIoError":"Unknown"}]}`, `null`, `{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var e *txerror.Error
		if json.Unmarshal(raw, &e) != nil || e == nil {
			return
		}
		if !strings.HasSuffix(e.Explain(raw, []string{string(raw)}), ".") || e.Name != "" && e.Error() == "" {
			t.Errorf("%s is empty", raw)
		}
		var back txerror.Error
		if err := json.Unmarshal(written(t, *e), &back); err != nil || back != *e {
			t.Errorf("%s is %+v, which is read as %+v, %v", raw, *e, back, err)
		}
		var custom struct {
			InstructionError []struct{ Custom uint32 }
		}
		_ = json.Unmarshal(raw, &custom) // fails on the index, which is no object, and reads on
		if e.Cause == "Custom" && custom.InstructionError[1].Custom != e.Code {
			t.Errorf("%s has code %d", raw, e.Code)
		}
	})
}

// written is the error as a node would write it.
func written(t *testing.T, e txerror.Error) []byte {
	t.Helper()
	var value any = e.Name
	if e.Name == "InstructionError" {
		var cause any = e.Cause
		if e.Cause == "Custom" {
			cause = map[string]uint32{"Custom": e.Code}
		}
		value = map[string]any{e.Name: []any{e.Instruction, cause}}
	}
	if e.Account != 0 {
		value = map[string]any{e.Name: map[string]int{"account_index": e.Account}}
	}
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
