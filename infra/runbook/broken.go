package runbook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Break copies a release to a new directory. In the copy one stack creates or changes all that it has,
// sets the log level of its functions to error, and then fails: its last resource is a filter of a log
// that does not exist.
func Break(release, directory, stack string) error {
	return change(release, directory, stack, func(text []byte) ([]byte, error) {
		var template map[string]any
		if err := json.Unmarshal(text, &template); err != nil {
			return nil, err //nolint:wrapcheck // change says of what
		}
		resources, _ := template["Resources"].(map[string]any)
		for _, value := range resources {
			r, _ := value.(map[string]any)
			properties, _ := r["Properties"].(map[string]any)
			environment, _ := properties["Environment"].(map[string]any)
			if variables, _ := environment["Variables"].(map[string]any); variables["LOG_LEVEL"] != nil {
				variables["LOG_LEVEL"] = "error"
			}
		}
		resources["Broken"] = map[string]any{
			"Type": "AWS::Logs::MetricFilter", "DependsOn": slices.Sorted(maps.Keys(resources)),
			"Properties": map[string]any{
				"LogGroupName": "no-such-log", "FilterPattern": "nothing",
				"MetricTransformations": []any{map[string]any{"MetricName": "Nothing", "MetricNamespace": "nothing", "MetricValue": "1"}},
			},
		}
		return json.Marshal(template)
	})
}

var errNoResource = errors.New("the template has no such resource")

// Replace copies a release to a new directory. In the copy one stack has another resource in place of
// the named one, with the same properties: the logical ID, which CDK ends with a hash, has another end.
func Replace(release, directory, stack, resource string) error {
	return change(release, directory, stack, func(text []byte) ([]byte, error) {
		id := regexp.MustCompile(`\b` + regexp.QuoteMeta(resource) + `[0-9A-F]{8}\b`)
		if !id.Match(text) {
			return nil, fmt.Errorf("%w: %s", errNoResource, resource)
		}
		return id.ReplaceAll(text, []byte("${0}Next")), nil
	})
}

// change copies a release to a new directory, and changes the template of one stack there.
func change(release, directory, stack string, edit func(template []byte) ([]byte, error)) error {
	if err := os.CopyFS(directory, os.DirFS(release)); err != nil {
		return fmt.Errorf("copy the release: %w", err)
	}
	path := filepath.Join(directory, stack+".template.json")
	text, err := os.ReadFile(path) // #nosec G304 -- of the caller's
	if err != nil {
		return fmt.Errorf("read the template: %w", err)
	}
	changed, err := edit(text)
	if err != nil {
		return fmt.Errorf("change the template: %w", err)
	}
	if err := os.WriteFile(path, changed, 0o600); err != nil { // #nosec G703 -- of the caller's
		return fmt.Errorf("write the template: %w", err)
	}
	// The template goes to the deployment bucket under its hash.
	before, after := sha256.Sum256(text), sha256.Sum256(changed)
	named := strings.NewReplacer(hex.EncodeToString(before[:]), hex.EncodeToString(after[:]))
	for _, name := range []string{"manifest.json", stack + ".assets.json"} {
		path := filepath.Join(directory, name)
		text, failed := os.ReadFile(path)                                                              // #nosec G304 -- of the caller's
		err = errors.Join(err, failed, os.WriteFile(path, []byte(named.Replace(string(text))), 0o600)) // #nosec G703 -- of the caller's
	}
	return err
}
