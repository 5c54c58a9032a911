// Package index follows the trades of launchpad curves: the buyers, the sold and collected amounts,
// and the time of completion. The package promises that a trade counts once, despite crashes and
// concurrent indexers, and that only finalized trades count.
//
// A cursor marks the newest counted transaction of a pool. A check walks back through the pool's
// history, from the newest transaction to the cursor. Only the sight of the cursor proves that no
// transaction in between is missing. A node that lags, or that does not keep so old a history,
// never shows the cursor, and decides nothing. After the walk has reached the cursor, the indexer
// reads the oldest uncounted transactions and adds up the trades. The write that adds the trades
// also moves the cursor, on the condition that the cursor has not moved since the read. So two
// indexers, or an indexer that dies, never count a trade twice. Slots up to the cursor's slot are
// never counted again, in whatever order a node lists the transactions of a slot.
//
// The trades and the candles of the trades are written together with the cursor. If a page
// continues a stored candle, the candle is read before the write. A candle changes only together
// with the cursor, so the write fails if the candle has changed since the read.
//
// A curve without counted transactions has no cursor. The curve's history must contain the
// transaction that creates the pool, before all trades, because anyone may have named the pool's
// address earlier. A history without this transaction decides nothing, and the transactions that
// the cursor has passed are read again.
//
// A curve is complete if the target was held at the end of a finalized slot. The evidence is the
// pool's account, which is read at the end of a slot, or every trade of the slot in the history.
// Tokens that are bought and sold again within a transaction complete no curve.
//
// No curve waits for another curve. A pass reads the pools of all curves, 100 in a call. Then the
// pass checks the curves that have changed since the last count, the longest wait first, and counts
// Share transactions of every curve. The curves with more transactions get the rest of the pass, in
// turns. A curve without trades is checked once a day, and otherwise costs only a hundredth of a
// call in a pass. There are two passes in a minute.
//
// In calls of the node, a pass costs 1 call for 100 curves, 1 or 2 calls for every changed curve,
// and a call for every successful transaction, at most Share. The busy curves cost up to WalkPages
// calls for a curve and MaxTransactions calls together. In calls of the store, a pass costs the
// list, a call for 100 curves in a new process, and 1 or 2 calls for every page of PageTransactions
// transactions.
package index
