// Package meteora encodes the instructions of Meteora's DAMM v2 program that the
// service uses, derives the addresses of its accounts, and decodes its pools,
// positions and events.
package meteora
