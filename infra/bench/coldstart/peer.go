package coldstart

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
)

// peers are the functions that infra/bench/node/cold has in Node: the script, whose event it
// gets, and which function of ours it is held against. The empty one has the clients and
// does nothing, as payer does with its first event.
var peers = []struct{ script, function, ours string }{
	{"auth", "auth", "auth"}, {"empty", "", "payer"}, {"tokens", "tokens", "tokens"},
}

// node makes the two programs of a peer: as it is written, and bundled.
func (o Options) node(ctx context.Context, script string) ([]*subject, error) {
	binary, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("find Node: %w", err)
	}
	where := o.Folder.Path("infra/bench/node")
	source, bundle := filepath.Join(where, "cold", script+".mjs"), filepath.Join(o.Scratch, script+".cjs")
	// What CDK's NodejsFunction asks of esbuild, and minified.
	cmd := exec.CommandContext(ctx, filepath.Join(where, "node_modules/.bin/esbuild"), source, //nolint:gosec // a script of ours
		"--bundle", "--minify", "--platform=node", "--target=node20", "--format=cjs", "--log-level=warning", "--outfile="+bundle)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bundle %s: %w\n%s", script, err, out)
	}
	return []*subject{
		{name: script + ", node_modules", program: program{binary: binary, args: []string{source}}},
		{name: script + ", one minified file", program: program{binary: binary, args: []string{bundle}}},
	}, nil
}

// sameAnswer says whether a peer's answer has the status, the headers and the fields of
// ours. What is in them differs: times and random numbers.
func sameAnswer(ours, theirs []byte) error {
	a, err := shape(ours)
	if err != nil {
		return err
	}
	b, err := shape(theirs)
	if err != nil {
		return err
	}
	if !slices.Equal(a, b) {
		return fmt.Errorf("the peer's answer is another: %v, ours %v", b, a)
	}
	return nil
}

func shape(answer []byte) ([]string, error) {
	var got struct {
		StatusCode int            `json:"statusCode"`
		Headers    map[string]any `json:"headers"`
		Body       string         `json:"body"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, fmt.Errorf("read an answer: %w", err)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		return nil, fmt.Errorf("read an answer's body: %w", err)
	}
	list := []string{fmt.Sprint(got.StatusCode)}
	list = append(list, slices.Sorted(maps.Keys(got.Headers))...)
	return append(list, slices.Sorted(maps.Keys(body))...), nil
}
