// Package launchpad prepares curves and trades on them, and says how they stand.
package launchpad
