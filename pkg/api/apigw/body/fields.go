package body

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// String returns a required string, which must not be empty.
func (f *Fields) String(name string) string { return need(f, name, f.OptionalString) }

// OptionalString returns a string. It returns false if the string is absent, null, "" or invalid.
func (f *Fields) OptionalString(name string) (string, bool) {
	text, ok := f.OptionalText(name)
	return text, ok && text != ""
}

// OptionalText returns a string that may be empty, for fields in which "" has a meaning. It returns
// false if the string is absent, null or invalid.
func (f *Fields) OptionalText(name string) (string, bool) {
	raw, ok := f.value(name)
	if !ok {
		return "", false
	}
	if raw[0] != '"' {
		f.Reject(name, apperr.CodeInvalidType, "Must be a string.")
		return "", false
	}
	return unquote(raw), true
}

// OptionalBool returns a boolean. ok is false if the boolean is absent, null or invalid.
func (f *Fields) OptionalBool(name string) (value, ok bool) {
	raw, ok := f.value(name)
	if !ok {
		return false, false
	}
	switch string(raw) {
	case "true":
		return true, true
	case "false":
		return false, true
	default:
		f.Reject(name, apperr.CodeInvalidType, "Must be true or false.")
		return false, false
	}
}

// Amount returns a required amount as a decimal string, see OptionalAmount.
func (f *Fields) Amount(name string) uint64 { return need(f, name, f.OptionalAmount) }

// OptionalAmount returns an amount of base units or lamports: a string of decimal digits without a
// sign or leading zeros, at most 2^64-1. It returns false if the amount is absent, null, "" or
// invalid.
func (f *Fields) OptionalAmount(name string) (uint64, bool) {
	raw, ok := f.value(name)
	if !ok {
		return 0, false
	}
	if raw[0] != '"' {
		f.Reject(name, apperr.CodeInvalidType, "Must be a string of decimal digits, such as \"1000000\": JSON numbers lose digits of large amounts.")
		return 0, false
	}
	text := unquote(raw)
	if text == "" {
		return 0, false
	}
	if strings.Trim(text, "0123456789") != "" || (len(text) > 1 && text[0] == '0') {
		f.Reject(name, apperr.CodeInvalidFormat, "Must be decimal digits only, without a sign, a point or leading zeros.")
		return 0, false
	}
	amount, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		f.Reject(name, apperr.CodeOutOfRange, "Must be at most "+strconv.FormatUint(math.MaxUint64, 10)+".")
		return 0, false
	}
	return amount, true
}

// Int returns a required integer from lowest to highest.
func (f *Fields) Int(name string, lowest, highest int) int {
	return need(f, name, func(name string) (int, bool) { return f.OptionalInt(name, lowest, highest) })
}

// OptionalInt returns an integer from lowest to highest. It returns false if the integer is absent,
// null or invalid. 6.0 is valid; 6e0 is not.
func (f *Fields) OptionalInt(name string, lowest, highest int) (int, bool) {
	whole, fraction, ok := f.number(name)
	if !ok {
		return 0, false
	}
	if fraction != "" {
		f.Reject(name, apperr.CodeInvalidFormat, "Must be an integer.")
		return 0, false
	}
	value, err := strconv.Atoi(whole)
	if err != nil || value < lowest || value > highest {
		f.Reject(name, apperr.CodeOutOfRange, fmt.Sprintf("Must be from %d to %d.", lowest, highest))
		return 0, false
	}
	return value, true
}

// Percent returns a required percentage in basis points. The bounds are in basis points, too.
func (f *Fields) Percent(name string, lowestBps, highestBps int) int {
	return need(f, name, func(name string) (int, bool) { return f.OptionalPercent(name, lowestBps, highestBps) })
}

// OptionalPercent returns a percentage in basis points: 2.5 becomes 250. The number has at most two
// decimals, without trailing zeros, and no exponent. It returns false if the percentage is absent,
// null or invalid.
func (f *Fields) OptionalPercent(name string, lowestBps, highestBps int) (int, bool) {
	whole, fraction, ok := f.number(name)
	if !ok {
		return 0, false
	}
	if len(fraction) > 2 {
		f.Reject(name, apperr.CodeInvalidPercentage, "Must have at most two decimals.")
		return 0, false
	}
	bps, err := strconv.Atoi(whole + (fraction + "00")[:2])
	if err != nil || bps < lowestBps || bps > highestBps {
		f.Reject(name, apperr.CodeInvalidPercentage, "Must be from "+decimal.Percent(lowestBps)+" to "+decimal.Percent(highestBps)+".")
		return 0, false
	}
	return bps, true
}

// OptionalObject calls read for the fields of an object. It returns false if the object is absent,
// null or invalid. Errors inside the object have both names: "order.version".
func (f *Fields) OptionalObject(name string, read func(*Fields)) bool {
	raw, ok := f.value(name)
	if !ok {
		return false
	}
	inner, err := Parse(raw)
	if err != nil {
		f.Reject(name, apperr.CodeInvalidType, "Must be an object.")
		return false
	}
	read(inner)
	for _, bad := range inner.wrong() {
		f.Reject(name+"."+bad.Field, bad.Code, bad.Message)
	}
	return true
}

// OptionalStrings returns a list of at most most different strings. It returns false if the list is
// absent, null or invalid.
func (f *Fields) OptionalStrings(name string, limit int) ([]string, bool) {
	raw, ok := f.value(name)
	if !ok {
		return nil, false
	}
	var list []*string
	if err := json.Unmarshal(raw, &list); err != nil || slices.Contains(list, nil) {
		f.Reject(name, apperr.CodeInvalidType, "Must be a list of strings.")
		return nil, false
	}
	if len(list) > limit {
		f.Reject(name, apperr.CodeOutOfRange, "Must have at most "+strconv.Itoa(limit)+" entries.")
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		if slices.Contains(out, *s) {
			f.Reject(name, apperr.CodeInvalidFormat, "Must have no entry twice.")
			return nil, false
		}
		out = append(out, *s)
	}
	return out, true
}

// OptionalList calls read for the fields of each object in a list. It returns false if the list is
// absent, null or invalid, or has more than limit objects. Errors inside an object have the index:
// "creatorSplits[1].wallet".
func (f *Fields) OptionalList(name string, limit int, read func(*Fields)) bool {
	raw, ok := f.value(name)
	if !ok {
		return false
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		f.Reject(name, apperr.CodeInvalidType, "Must be a list.")
		return false
	}
	if len(list) > limit {
		f.Reject(name, apperr.CodeOutOfRange, fmt.Sprintf("Must have at most %d entries.", limit))
		return false
	}
	for i, one := range list {
		entry := fmt.Sprintf("%s[%d]", name, i)
		inner, err := Parse(one)
		if err != nil {
			f.Reject(entry, apperr.CodeInvalidType, "Must be an object.")
			continue
		}
		read(inner)
		for _, bad := range inner.wrong() {
			f.Reject(entry+"."+bad.Field, bad.Code, bad.Message)
		}
	}
	return true
}

// need returns a field, and rejects the field if absent.
func need[T any](f *Fields, name string, optional func(string) (T, bool)) T {
	value, ok := optional(name)
	if !ok {
		f.Reject(name, apperr.CodeRequired, "This field is required.")
	}
	return value
}

// value returns the field's JSON. It returns false if the field is absent, null or already
// rejected.
func (f *Fields) value(name string) (json.RawMessage, bool) {
	if !f.Has(name) || f.IsBad(name) {
		return nil, false
	}
	raw := f.values[name]
	return raw, string(raw) != "null"
}

// number returns the digits of a JSON number. The whole part includes the sign, and the fraction
// has no trailing zeros.
func (f *Fields) number(name string) (whole, fraction string, ok bool) {
	raw, ok := f.value(name)
	if !ok {
		return "", "", false
	}
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		f.Reject(name, apperr.CodeInvalidType, "Must be a number.")
		return "", "", false
	}
	if strings.ContainsAny(string(raw), "eE") {
		f.Reject(name, apperr.CodeInvalidFormat, "Must be written without an exponent.")
		return "", "", false
	}
	whole, fraction, _ = strings.Cut(string(raw), ".")
	return whole, strings.TrimRight(fraction, "0"), true
}

// unquote decodes a JSON string that the decoder has already checked.
func unquote(raw json.RawMessage) string {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return ""
	}
	return text
}
