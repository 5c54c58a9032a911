package main

import (
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func TestArguments(t *testing.T) {
	o, err := parse([]string{"raise", "-why", "a partner", "-days", "30", "token-create", "wallet", "50"})
	if err != nil || o.rule.Name != "token-create" || o.key != "wallet" || o.days != 30 || o.set.Limit != 50 || o.set.Why != "a partner" {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err := parse([]string{"show", "page", "2001:db8:1:2:3::1"}); err != nil || o.key != "2001:db8:1:2::/64" || o.set != nil || o.end {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{
		"", "set page w 1", "show page", "show nothing w", "show uncounted w", "raise page w 700", "raise -why x page w", "raise -why x page w many",
		"raise -why x -days 0 page w 700", "raise -why x -days 401 page w 700", "lower page",
		"raise -why x page w 600", "lower -why x page w 600", "lower -why x page w 700", "lower page w 5", "lower -why x page w",
	} {
		if _, err := parse(strings.Fields(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestRaisesShowsAndLowers(t *testing.T) {
	aws := localnet.AWS(t)
	now := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	limiter := windowtable.Limiter{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Window), Now: func() time.Time { return now }}
	for _, step := range []struct{ arguments, want string }{
		{"show token-create w", "token-create of w: 5 per hour\n"},
		{"raise -why partner -days 1 token-create w 50", "token-create of w: 50 per hour until 2026-11-30T09:00:00Z, by : partner\n"},
		{"show token-create w", "token-create of w: 50 per hour until 2026-11-30T09:00:00Z, by : partner\n"},
		{"lower token-create w", "token-create of w: 5 per hour\n"},
		{"lower -why spam -days 2 token-create w 1", "token-create of w: 1 per hour until 2026-12-01T09:00:00Z, by : spam\n"},
		{"lower token-create w", "token-create of w: 5 per hour\n"},
	} {
		o, err := parse(strings.Fields(step.arguments))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := obey(t.Context(), limiter, o, &out); err != nil || out.String() != step.want {
			t.Errorf("%s: %q, %v, want %q", step.arguments, out.String(), err, step.want)
		}
	}
}
