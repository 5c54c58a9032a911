// Package index follows the trades of launchpad curves: who has bought, how much
// was sold and collected, and when a curve was complete. It promises that a trade
// counts once, whatever crashes or runs twice, and that only finalized ones count.
package index
