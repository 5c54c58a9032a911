// Package index follows the trades of launchpad curves: who has bought, how much
// was sold and collected, and when a curve was complete. It promises that a trade
// counts once, whatever crashes or runs twice, and that only finalized ones count.
//
// How: a cursor marks the newest transaction of the pool that was counted. A
// look walks back through the pool's history from its newest transaction until it
// has seen the cursor: only then is it proved that nothing in between is missing. A
// node that is behind, or that does not keep so old a history, never shows the
// cursor, and decides nothing. Then the oldest of what is new is read and added up,
// and the cursor moves over it in the same write that adds it, if it still stands
// where it stood. So two indexers, or one that dies, never count a trade twice.
// Slots up to the cursor's are never counted again, in whatever order a node lists a
// slot's transactions.
//
// The trades themselves, and the candles that they make, are written with the cursor too. A
// candle that a page goes on with is read before; no candle changes but with the cursor, so
// the write is refused where what was read is not the candle any more.
//
// A curve that was never counted has no cursor. Its history must have the transaction
// that makes the pool, before all trades; anyone may have named the address before. A
// history that lacks it decides nothing, and what the cursor passed on the way is gone
// over once more.
//
// A curve is complete when a finalized slot ended with its target held: the pool's account
// says so, which is read at a slot's end, or each trade that the history has of that slot.
// What is bought and sold again within a transaction completes nothing.
//
// No curve waits for another. A pass reads the pools of all curves, 100 in a call, and
// looks at those that have changed since all was counted, those that waited longest first:
// it counts Share transactions of each. What is left of the pass goes to the curves that
// have more, in turns. A curve on which nothing happens is looked at once a day, and costs
// nothing else but its hundredth of a call in each pass. Two passes are made in a minute.
//
// In calls of the node, a pass is 1 for 100 curves; 1 or 2 for each curve that changed, and
// one for each transaction that did not fail, Share at most; and of the busy ones up to
// WalkPages each and MostTransactions together. In calls of the store: the list, 100 curves
// a call when the process is new; 1 or 2 for each page of PageTransactions transactions.
package index
