// Package jsoniter stands in for a second JSON, of which solana-go uses what it has in
// common with the standard library's: that is used.
package jsoniter

import "encoding/json"

// API is the part of it that solana-go calls.
type API struct{}

// ConfigCompatibleWithStandardLibrary is the standard library.
var ConfigCompatibleWithStandardLibrary API

// Marshal is that of encoding/json.
func (API) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal is that of encoding/json.
func (API) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }
