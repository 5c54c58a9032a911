// Package spew stands in for a printer of values, which solana-go has beside treeout.
package spew

import "fmt"

// Sdump writes values as fmt does.
func Sdump(values ...any) string { return fmt.Sprintf("%+v\n", values) }
