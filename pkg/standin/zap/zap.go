// Package zap stands in for a logger, into which solana-go writes each step for its own
// authors: here nobody asks for that, and nothing is written.
package zap

import "fmt"

// Logger writes nothing.
type Logger struct{}

// NewNop gives a logger.
func NewNop() *Logger { return &Logger{} }

// Named gives the same logger.
func (l *Logger) Named(string) *Logger { return l }

// Debug writes nothing.
func (l *Logger) Debug(string, ...Field) {}

// Field is what would be written: nothing is kept of it.
type Field struct{}

// Binary keeps nothing.
func Binary(string, []byte) Field { return Field{} }

// Bool keeps nothing.
func Bool(string, bool) Field { return Field{} }

// Float32 keeps nothing.
func Float32(string, float32) Field { return Field{} }

// Float64 keeps nothing.
func Float64(string, float64) Field { return Field{} }

// Int keeps nothing.
func Int(string, int) Field { return Field{} }

// Int8 keeps nothing.
func Int8(string, int8) Field { return Field{} }

// Int16 keeps nothing.
func Int16(string, int16) Field { return Field{} }

// Int32 keeps nothing.
func Int32(string, int32) Field { return Field{} }

// Int64 keeps nothing.
func Int64(string, int64) Field { return Field{} }

// Reflect keeps nothing.
func Reflect(string, any) Field { return Field{} }

// String keeps nothing.
func String(string, string) Field { return Field{} }

// Stringer keeps nothing.
func Stringer(string, fmt.Stringer) Field { return Field{} }

// Uint8 keeps nothing.
func Uint8(string, uint8) Field { return Field{} }

// Uint16 keeps nothing.
func Uint16(string, uint16) Field { return Field{} }

// Uint32 keeps nothing.
func Uint32(string, uint32) Field { return Field{} }

// Uint64 keeps nothing.
func Uint64(string, uint64) Field { return Field{} }
