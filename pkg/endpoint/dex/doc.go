// Package dex answers the routes of dex.
package dex
