package limits_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/limits"
)

func TestRulesAreNamedApart(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range limits.Rules() {
		if seen[rule.Name] || rule.Name == "" || rule.Limit < 1 || rule.Window < time.Second || rule.Window%time.Second != 0 {
			t.Errorf("rule %+v", rule)
		}
		seen[rule.Name] = true
	}
}
