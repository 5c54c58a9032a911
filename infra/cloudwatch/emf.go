package cloudwatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// The limits of the embedded metric format (User Guide, "Specification: Embedded metric format")
// and of CloudWatch's values.
const (
	maxMetrics    = 100
	maxDimensions = 30
	maxValues     = 100
	longestName   = 1024
	longestLine   = 1 << 20
	oldest        = 14 * 24 * time.Hour
	newest        = 2 * time.Hour
	greatestValue = 0x1p360
)

var units = []string{
	"", "Seconds", "Microseconds", "Milliseconds", "Bytes", "Kilobytes", "Megabytes", "Gigabytes", "Terabytes", "Bits",
	"Kilobits", "Megabits", "Gigabits", "Terabits", "Percent", "Count", "Bytes/Second", "Kilobytes/Second",
	"Megabytes/Second", "Gigabytes/Second", "Terabytes/Second", "Bits/Second", "Kilobits/Second", "Megabits/Second",
	"Gigabits/Second", "Terabits/Second", "Count/Second", "None",
}

// ReadEMF returns the values of a log line in the embedded metric format, or no values for a line
// in another format. CloudWatch silently drops values that break a rule; ReadEMF returns an error.
func ReadEMF(line []byte, now time.Time) ([]Datum, error) {
	var root map[string]json.RawMessage
	if json.Unmarshal(line, &root) != nil || root["_aws"] == nil {
		return nil, nil
	}
	if len(line) > longestLine {
		return nil, fmt.Errorf("the line has %d bytes, more than %d", len(line), longestLine)
	}
	var metadata struct {
		Timestamp         *int64
		CloudWatchMetrics []struct {
			Namespace  string
			Dimensions *[][]string
			Metrics    []struct {
				Name, Unit        string
				StorageResolution *int
			}
		}
	}
	strict := json.NewDecoder(bytes.NewReader(root["_aws"]))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&metadata); err != nil {
		return nil, fmt.Errorf("_aws: %w", err)
	}
	if metadata.Timestamp == nil || len(metadata.CloudWatchMetrics) == 0 {
		return nil, errors.New("_aws lacks Timestamp or CloudWatchMetrics")
	}
	at := time.UnixMilli(*metadata.Timestamp)
	if at.Before(now.Add(-oldest)) || at.After(now.Add(newest)) {
		return nil, fmt.Errorf("the Timestamp %s is not from two weeks ago to two hours ahead", at.UTC())
	}
	var data []Datum
	for _, d := range metadata.CloudWatchMetrics {
		if d.Namespace == "" || len(d.Namespace) > longestName || d.Dimensions == nil || len(*d.Dimensions) == 0 || len(d.Metrics) == 0 {
			return nil, errors.New("a directive lacks Namespace, Dimensions or Metrics")
		}
		if len(d.Metrics) > maxMetrics {
			return nil, fmt.Errorf("%d metrics, more than %d", len(d.Metrics), maxMetrics)
		}
		for _, m := range d.Metrics {
			if !slices.Contains(units, m.Unit) {
				return nil, fmt.Errorf("%s has the unit %q", m.Name, m.Unit)
			}
			if m.StorageResolution != nil && *m.StorageResolution != 1 && *m.StorageResolution != 60 {
				return nil, fmt.Errorf("%s has the resolution %d", m.Name, *m.StorageResolution)
			}
			values, err := values(m.Name, root)
			if err != nil {
				return nil, err
			}
			for _, set := range *d.Dimensions {
				named, err := dimensionsOf(set, root)
				if err != nil {
					return nil, err
				}
				for _, value := range values {
					data = append(data, Datum{Metric{d.Namespace, m.Name, named}, at, value})
				}
			}
		}
	}
	return data, nil
}

// values returns the values of a metric's member: a number or several numbers.
func values(name string, root map[string]json.RawMessage) ([]float64, error) {
	if name == "" || len(name) > longestName || name == "_aws" {
		return nil, fmt.Errorf("%q is no name of a metric", name)
	}
	var many []float64
	if err := json.Unmarshal(root[name], &many); err != nil || many == nil {
		var one *float64
		if err := json.Unmarshal(root[name], &one); err != nil || one == nil {
			return nil, fmt.Errorf("the member %s is no number: %.50s", name, root[name])
		}
		many = []float64{*one}
	}
	if len(many) == 0 || len(many) > maxValues {
		return nil, fmt.Errorf("the member %s has %d values", name, len(many))
	}
	for _, value := range many {
		if math.IsNaN(value) || math.Abs(value) > greatestValue {
			return nil, fmt.Errorf("the member %s is out of range", name)
		}
	}
	return many, nil
}

// dimensionsOf reads the members of a set of dimensions.
func dimensionsOf(set []string, root map[string]json.RawMessage) (map[string]string, error) {
	if len(set) > maxDimensions {
		return nil, fmt.Errorf("%d dimensions, more than %d", len(set), maxDimensions)
	}
	named := map[string]string{}
	for _, name := range set {
		var value string
		if err := json.Unmarshal(root[name], &value); err != nil || value == "" || len(value) > longestName {
			return nil, fmt.Errorf("the member %s is no dimension: %.50s", name, root[name])
		}
		named[name] = value
	}
	if len(named) < len(set) {
		return nil, fmt.Errorf("a dimension occurs twice in %q", set)
	}
	return named, nil
}
