package siws

import (
	"strings"
	"time"
)

// reader consumes the lines of a message one by one and keeps the first error.
type reader struct {
	lines []string
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = malformed(format, args...)
	}
}

func (r *reader) line() string {
	line := r.lines[0]
	r.lines = r.lines[1:]
	return line
}

func (r *reader) empty() {
	if line := r.line(); line != "" {
		r.fail("%q where an empty line belongs", line)
	}
}

func (r *reader) until(suffix string) string {
	line, found := strings.CutSuffix(r.line(), suffix)
	if !found {
		r.fail("first line without %q", suffix)
	}
	return line
}

func (r *reader) field(name string) string {
	value, found := strings.CutPrefix(r.line(), name+": ")
	if !found {
		r.fail("no %s", name)
	}
	return value
}

// time parses a time in exactly the format of Format. The layout alone would accept a comma as the
// decimal point.
func (r *reader) time(name string) time.Time {
	value := r.field(name)
	t, err := time.Parse(timeForm, value)
	if err != nil || t.Format(timeForm) != value {
		r.fail("%s %q", name, value)
	}
	return t
}
