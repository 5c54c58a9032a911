package coldstart

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// firstEvents names the event of events/ that a function is started with, and the
// status that it answers with; zero where the answer is no HTTP one. They need
// little besides the function: the limiter's table, or a key. A function that is
// not named here gets an empty object.
var firstEvents = map[string]struct {
	event  string
	status int
}{
	"authorizer":   {"authorizer-missing-token", 0},
	"auth":         {"auth-challenge", 200},
	"burns":        {"burns-list", 404},
	"deriver":      {"deriver-wallet", 0},
	"dex":          {"dex-create-unsigned-bad-fields", 400},
	"dispatcher":   {"dispatcher-sweep", 0},
	"distribution": {"distribution-runs", 404},
	"docs":         {"docs-health", 200},
	"featured":     {"featured-list", 200},
	"images":       {"images-upload-not-an-image", 400},
	"launchpad":    {"launchpad-list", 200},
	"signer":       {"signer-address", 0},
	"tokens":       {"tokens-list", 200},
}

// noEvent stands for a function that is started with an empty object.
const noEvent = "{}"

// eventOf names a function's first event.
func eventOf(function string) string {
	if e := firstEvents[function].event; e != "" {
		return e
	}
	return noEvent
}

// makeEvent reads a function's first event and makes it another caller's, whom no
// limit has met yet.
func makeEvent(folder project.Folder, function string) ([]byte, error) {
	name := eventOf(function)
	if name == noEvent {
		return []byte(noEvent), nil
	}
	text, err := os.ReadFile(folder.Path("events/" + name + ".json"))
	if err != nil {
		return nil, err
	}
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, err
	}
	var event map[string]any
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, fmt.Errorf("read event %s: %w", name, err)
	}
	if request, ok := event["requestContext"].(map[string]any); ok {
		public := key.PublicKey()
		if http, ok := request["http"].(map[string]any); ok {
			http["sourceIp"] = fmt.Sprintf("2001:db8:%x:%x::1", public[:2], public[2:4])
		}
		if authorizer, ok := request["authorizer"].(map[string]any); ok {
			authorizer["lambda"] = map[string]any{"wallet": public.String()}
		}
	}
	return json.Marshal(event)
}

// check says whether the answer is the one that the event is there for.
func check(function string, answer []byte) error {
	want := firstEvents[function].status
	var got struct {
		StatusCode int `json:"statusCode"`
	}
	if want == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.StatusCode != want {
		return fmt.Errorf("%s answers %s to %s, want status %d", function, answer, eventOf(function), want)
	}
	return nil
}
