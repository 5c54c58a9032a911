package main

import (
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/terms"
)

func TestArguments(t *testing.T) {
	o, err := parse([]string{"lift", "-why", "a large day", "-hours", "3", "DAY", "SOL", "7000"})
	if err != nil || o.lift == nil || o.hours != 3 || o.lift.Scope != "DAY" || o.lift.Asset != terms.SOL || o.lift.Limit != 7000 || o.lift.Why != "a large day" {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err := parse([]string{"show"}); err != nil || o.scope != "DAY" || o.lift != nil {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{
		"", "raise", "show a b", "lift DAY SOL 1", "lift -why x DAY SOL", "lift -why x DAY coin 1", "lift -why x DAY SOL -1", "lift -why x -hours 0 DAY SOL 1",
		"lift -why x -hours 169 DAY SOL 1",
	} {
		if _, err := parse(strings.Fields(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestShowsWhatWasLifted(t *testing.T) {
	aws := localnet.AWS(t)
	caps := capstable.Caps{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Caps), Now: time.Now}
	var out strings.Builder
	if err := show(t.Context(), caps, "DAY", &out); err != nil || out.String() != "DAY has moved nothing\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	err := caps.Lift(t.Context(), capstable.Lift{
		Scope: "DAY", Asset: terms.SOL, Limit: 9, Until: time.Now().Add(time.Hour), By: "arn:aws:iam::1:user/ana", Why: "a large day",
	})
	if err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := show(t.Context(), caps, "DAY", &out); err != nil || !strings.Contains(out.String(), "DAY of SOL may be 9 until") ||
		!strings.Contains(out.String(), "user/ana: a large day") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
