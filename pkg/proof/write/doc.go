// Package write writes the proof of a run: lists as streams, with a few blocks in memory, then the
// manifest and the anchor. The same run has the same bytes, so that making a proof again after a
// crash results in the same proof. It refuses what package verify would refuse.
package write
