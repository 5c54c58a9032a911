package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/pkg/localnet/project"
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
	"tokens":       {"tokens-list", 200},
}

// noEvent stands for a function that is started with an empty object.
const noEvent = "{}"

// coldStart is what starting a function took.
type coldStart struct {
	function string
	event    string
	zipBytes int64
	starts   []start
}

func (c coldStart) ready() []time.Duration {
	return report.Each(c.starts, func(s start) time.Duration { return s.ready })
}

func (c coldStart) answered() []time.Duration {
	return report.Each(c.starts, func(s start) time.Duration { return s.answered })
}

func (c coldStart) peakMB() float64 {
	peak := slices.Max(report.Each(c.starts, func(s start) int64 { return s.peakKB }))
	return float64(peak) / 1024
}

// measureColdStarts starts every function that make build has built, in turns, so
// that what else the machine does meets all of them.
func measureColdStarts(ctx context.Context, folder project.Folder, env environments, runs int) ([]coldStart, error) {
	binaries, err := filepath.Glob(folder.Path(".build/functions/*/bootstrap"))
	if err != nil {
		return nil, err
	}
	if len(binaries) == 0 {
		return nil, errors.New("no function is built: run make build")
	}
	all := make([]coldStart, len(binaries))
	for run := range runs + 1 {
		for i, binary := range binaries {
			c := &all[i]
			c.function = filepath.Base(filepath.Dir(binary))
			settings, deployed := env[c.function]
			if !deployed {
				continue // built once, or not deployed yet
			}
			event, err := c.makeEvent(folder)
			if err != nil {
				return nil, err
			}
			started, err := startOnce(ctx, binary, settings.list(), event)
			if err != nil {
				return nil, fmt.Errorf("start %s: %w", c.function, err)
			}
			if err := c.check(started.answer); err != nil {
				return nil, err
			}
			if run > 0 { // the first reads the binary from the disk
				c.starts = append(c.starts, started)
			}
		}
	}
	all = slices.DeleteFunc(all, func(c coldStart) bool { return len(c.starts) == 0 })
	for i := range all {
		info, err := os.Stat(folder.Path(".build/functions/" + all[i].function + ".zip"))
		if err != nil {
			return nil, err
		}
		all[i].zipBytes = info.Size()
	}
	return all, nil
}

// makeEvent reads the function's event and makes it another caller's, whom no
// limit has met yet.
func (c *coldStart) makeEvent(folder project.Folder) ([]byte, error) {
	c.event = firstEvents[c.function].event
	if c.event == "" {
		c.event = noEvent
		return []byte(noEvent), nil
	}
	text, err := os.ReadFile(folder.Path("events/" + c.event + ".json"))
	if err != nil {
		return nil, err
	}
	key, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, err
	}
	var event map[string]any
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, fmt.Errorf("read event %s: %w", c.event, err)
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
func (c *coldStart) check(answer []byte) error {
	want := firstEvents[c.function].status
	var got struct {
		StatusCode int `json:"statusCode"`
	}
	if want == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.StatusCode != want {
		return fmt.Errorf("%s answers %s to %s, want status %d", c.function, answer, c.event, want)
	}
	return nil
}

// environment holds the variables of one function, environments those of all.
type (
	environment  map[string]string
	environments map[string]environment
)

func (e environment) list() []string { return deployed.List(e) }
