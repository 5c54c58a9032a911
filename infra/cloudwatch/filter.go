package cloudwatch

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
)

var jsonEquals = regexp.MustCompile(`^\{ *\$\.([A-Za-z_]+) *= *"([^"\[\]?\\]*)" *\}$`)

// Filter reads the pattern of a metric filter, of which it knows one form: a member of a
// line in JSON that equals a text, in which * stands for any other text (CloudWatch Logs
// User Guide, "Filter pattern syntax for metric filters").
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
		// For path.Match a * does not stand for a slash.
		fits, err := path.Match(slashless(parts[2]), slashless(value))
		return err == nil && fits
	}, nil
}

var slashes = regexp.MustCompile(`/`)

func slashless(text string) string { return slashes.ReplaceAllString(text, "\x00") }
