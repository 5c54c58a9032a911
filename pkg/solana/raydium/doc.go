// Package raydium encodes the instructions of Raydium's constant-product program
// (CPMM) that the service uses, derives the addresses of its accounts, and decodes
// its pools and configurations.
package raydium
