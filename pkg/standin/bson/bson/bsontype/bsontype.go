// Package bsontype has the type that methods of solana-go's keys name.
package bsontype

// Type is of a value in BSON.
type Type byte
