// Package bson stands in for MongoDB's encoding, which solana-go gives its keys and
// nothing here asks for: every call is an error.
package bson

import (
	"errors"

	"go.mongodb.org/mongo-driver/bson/bsontype"
)

var errLeftOut = errors.New("BSON is left out of this build: see pkg/standin/README.md")

// Marshal is always an error.
func Marshal(any) ([]byte, error) { return nil, errLeftOut }

// Unmarshal is always an error.
func Unmarshal([]byte, any) error { return errLeftOut }

// MarshalValue is always an error.
func MarshalValue(any) (bsontype.Type, []byte, error) { return 0, nil, errLeftOut }

// UnmarshalValue is always an error.
func UnmarshalValue(bsontype.Type, []byte, any) error { return errLeftOut }
