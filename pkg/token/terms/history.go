package terms

// Change is a version of the settings in the public history, with the settings before the version.
type Change struct {
	Version

	// Before is nil for the settings of the launch.
	Before *Settings
}

// Difference is a setting that a change replaced, in the API's texts. Both texts are empty for a
// private setting.
type Difference struct {
	Field  string `json:"field"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Differences lists the settings whose values differ, without the values of private settings. The
// result is never nil.
func Differences(before, after Settings) []Difference {
	list := []Difference{}
	for _, f := range Changed(before, after) {
		one := Difference{Field: f.Name}
		if !f.Private {
			one.Before, one.After = f.Text(before), f.Text(after)
		}
		list = append(list, one)
	}
	return list
}

// Differences lists the settings that the change replaced.
func (c Change) Differences() []Difference {
	if c.Before == nil {
		return []Difference{}
	}
	return Differences(*c.Before, c.Settings)
}
