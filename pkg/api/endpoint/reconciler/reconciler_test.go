package reconciler_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/endpoint/reconciler"
	"tokenlaunch.example/service/pkg/launch/reconcile"
)

type runner struct {
	runs int
	err  error
}

func (r *runner) Run(context.Context) (reconcile.Report, error) {
	r.runs++
	return reconcile.Report{}, r.err
}

func TestEveryEventIsARun(t *testing.T) {
	content, err := os.ReadFile("../../../../events/reconciler-minute.json")
	if err != nil {
		t.Fatal(err)
	}
	var minute events.EventBridgeEvent
	if err := json.Unmarshal(content, &minute); err != nil {
		t.Fatal(err)
	}
	r := &runner{}
	for range 2 {
		if err := reconciler.Handler(r)(t.Context(), minute); err != nil {
			t.Error(err)
		}
	}
	r.err = errors.New("the node is away")
	if err := reconciler.Handler(r)(t.Context(), minute); !errors.Is(err, r.err) || r.runs != 3 {
		t.Errorf("%d runs, %v; want a third that fails the invocation", r.runs, err)
	}
}
