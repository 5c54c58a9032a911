// Package stages holds what is decided of each stage's deployment: context values of
// the CDK app by the stage's name. Neither secrets nor the wallet that is paid are
// among them: the deployment sets those.
package stages

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
)

//go:embed *.json
var files embed.FS

// defaultStage is the stage that is deployed when none is named, and whose values
// stages without a file have.
const defaultStage = "dev"

// local is the stage of the local run, which sets every value itself.
const local = "local"

// AlarmsSuffix ends the name of the stack of a service's alarms, which begins with the name of the
// service's stack.
const AlarmsSuffix = "-alarms"

// With adds the values of the stage that given names. A value that was given wins.
func With(given map[string]string) (map[string]string, error) {
	stage := given["stage"]
	if stage == "" {
		stage = defaultStage
	}
	if stage == local {
		return given, nil
	}
	values, err := read(stage)
	if errors.Is(err, fs.ErrNotExist) {
		values, err = read(defaultStage)
	}
	if err != nil {
		return nil, err
	}
	maps.Copy(values, given)
	return values, nil
}

func read(stage string) (map[string]string, error) {
	name := stage + ".json"
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("infra/stages/%s: %w", name, fs.ErrNotExist)
	}
	content, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("infra/stages/%s: %w", name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber() // 20000000, and not 2e+07
	var values map[string]any
	if err := decoder.Decode(&values); err != nil {
		return nil, fmt.Errorf("infra/stages/%s: %w", name, err)
	}
	texts := map[string]string{}
	for key, value := range values {
		switch value.(type) {
		case string, bool, json.Number:
			texts[key] = fmt.Sprint(value)
		default:
			return nil, fmt.Errorf("infra/stages/%s: the value of %s must be a text, a number, true or false", name, key)
		}
	}
	return texts, nil
}
