// Package index follows the trades of launchpad curves: who has bought, how much
// was sold and collected, and when a curve was complete. It promises that a trade
// counts once, whatever crashes or runs twice, and that only finalized ones count.
//
// How: a cursor stands on the newest transaction of the pool that was counted. A
// look walks back through the pool's history from its newest transaction until it
// has seen the cursor: only then is it proved that nothing in between is missing. A
// node that is behind, or that does not keep so old a history, never shows the
// cursor, and decides nothing. Then the oldest of what is new is read and added up,
// and the cursor moves over it in the same write that adds it, if it still stands
// where it stood. So two indexers, or one that dies, never count a trade twice.
// Slots up to the cursor's are never counted again, in whatever order a node lists a
// slot's transactions.
//
// A curve that was never counted has no cursor. Its history must have the transaction
// that makes the pool, before all trades; anybody may have named the address before. A
// history that lacks it decides nothing, and what the cursor passed on the way is gone
// over once more.
//
// A run is bounded: at most MostCurves curves and MostTransactions transactions, and
// WalkPages pages of signatures for each curve, of 1,000. A longer history is walked
// over several runs. In calls of the node: 1 of the accounts of all curves, 1 for
// each curve on which nothing happened, and for each other one up to WalkPages and
// one for each transaction that did not fail. In calls of the store: 1 for the list,
// 1 to claim each curve, 1 or 2 for each page of PageTransactions transactions.
package index
