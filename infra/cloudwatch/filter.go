package cloudwatch

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
)

var jsonEquals = regexp.MustCompile(`^\{ *\$\.([A-Za-z_]+) *= *"([^"\[\]?\\]*)" *\}$`)

// Filter parses the pattern of a metric filter. Only one form is supported: a member of a JSON line
// that equals a text, in which * stands for any text (CloudWatch Logs User Guide, "Filter pattern
// syntax for metric filters").
func Filter(pattern string) (func(line string) bool, error) {
	parts := jsonEquals.FindStringSubmatch(pattern)
	if parts == nil {
		return nil, fmt.Errorf("the pattern %s has no form that is known here", pattern)
	}
	return func(line string) bool {
		var root map[string]any
		if json.Unmarshal([]byte(line), &root) != nil {
			return false
		}
		value, isText := root[parts[1]].(string)
		if !isText {
			return false
		}
		// In path.Match, * does not match a slash.
		fits, err := path.Match(slashless(parts[2]), slashless(value))
		return err == nil && fits
	}, nil
}

var slashes = regexp.MustCompile(`/`)

func slashless(text string) string { return slashes.ReplaceAllString(text, "\x00") }
