package announcer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/announcer"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/token"
)

// fixture reads records that name their kind, and announces them or fails.
type fixture struct {
	told, aside []string
	fails       map[string]bool
}

func (w *fixture) Token(_ context.Context, mint solana.PublicKey) (token.Record, error) {
	switch {
	case mint == solana.PublicKey{9}:
		return token.Record{}, token.ErrNotFound
	case w.fails["store"]:
		return token.Record{}, errors.New("away")
	}
	return token.Record{ID: "id", Mint: mint}, nil
}

func (w *fixture) Tell(_ context.Context, e event.Event) error {
	if e.Token.ID == "" {
		return errors.New("the token is not known")
	}
	if w.fails[e.Key] {
		return errors.New("the queue is away")
	}
	w.told = append(w.told, e.Key)
	return nil
}

func (w *fixture) setAside(_ context.Context, body string) error {
	w.aside = append(w.aside, body)
	return nil
}

func record(key string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"eventID":%q,"dynamodb":{"SequenceNumber":"n-%s","Keys":{"pk":{"S":"K"}},"NewImage":{"secret":{"S":"x"}}}}`, key, key))
}

func read(raw json.RawMessage) ([]event.Event, error) {
	var r struct{ EventID string }
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	mint := solana.PublicKey{1}
	switch r.EventID {
	case "nothing":
		return nil, nil
	case "elsewhere":
		mint = solana.PublicKey{9}
	case "damaged":
		return nil, errors.New("no item")
	}
	return []event.Event{{Key: r.EventID, Token: token.Record{Mint: mint}}}, nil
}

func TestAnnouncerKeepsOrder(t *testing.T) {
	for name, test := range map[string]struct {
		records, fails, told []string
		kept                 string
		aside                int
	}{
		"all":               {records: []string{"a", "nothing", "elsewhere", "b"}, told: []string{"a", "b"}},
		"a queue down":      {records: []string{"a", "b", "c"}, fails: []string{"b"}, told: []string{"a"}, kept: "n-b"},
		"the store down":    {records: []string{"a", "b"}, fails: []string{"store"}, kept: "n-a"},
		"one unreadable":    {records: []string{"a", "damaged", "b"}, told: []string{"a", "b"}, aside: 1},
		"an empty batch":    {},
		"none of our mints": {records: []string{"elsewhere"}},
	} {
		w := &fixture{fails: map[string]bool{}}
		for _, f := range test.fails {
			w.fails[f] = true
		}
		e := announcer.Endpoint{Read: read, Tokens: w, Consumer: w, SetAside: w.setAside, Log: slog.New(slog.DiscardHandler)}
		var batch struct {
			Records []json.RawMessage `json:"Records"`
		}
		for _, r := range test.records {
			batch.Records = append(batch.Records, record(r))
		}
		got, err := e.Handle(t.Context(), batch)
		if err != nil || got.BatchItemFailures == nil {
			t.Fatalf("%s: Handle() = %+v, %v; want a list", name, got, err)
		}
		kept := ""
		for _, f := range got.BatchItemFailures {
			kept += f.ItemIdentifier
		}
		if !slices.Equal(w.told, test.told) || kept != test.kept || len(w.aside) != test.aside {
			t.Errorf("%s: told %v, stored %q, set aside %v", name, w.told, kept, w.aside)
		}
		for _, body := range w.aside {
			if want := `{"eventID":"damaged","eventSourceARN":"","dynamodb":{"Keys":{"pk":{"S":"K"}}}}`; body != want {
				t.Errorf("set aside %s, want %s", body, want)
			}
		}
	}
}

// A failing consumer does not prevent the delivery to the next one.
func TestConsumers(t *testing.T) {
	bad, good := &fixture{fails: map[string]bool{"a": true}}, &fixture{}
	err := event.Consumers{bad, good}.Tell(t.Context(), event.Event{Key: "a", Token: token.Record{ID: "id"}})
	if err == nil || len(good.told) != 1 {
		t.Errorf("Tell() = %v, second consumer got %v; want an error and one event", err, good.told)
	}
}
