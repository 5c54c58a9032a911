// Package audit reports, only from the chain, the use of the tax of a Token-2022 mint with a
// transfer fee: the withheld amounts, the withdrawals with authority and account, and the first
// movement from there. The mint need not be a mint of this service.
//
// An audit reads the mint's history. On a mint with a transfer fee, every instruction that changes
// a balance names the mint (spl-token-2022, MintRequiredForTransfer). Amounts are taken from the
// balances of each transaction. They are computed only if the balances are ambiguous. A separate
// ledger of the withheld amounts must agree with the amount of each withdrawal and with the node's
// present state.
//
// It promises:
//
//   - The report states every disagreement, and every fact that cannot be known.
//   - A node that contradicts itself, or whose history never ends, leads to an error.
//   - Memory is bounded by the signatures of the history (72 bytes each) and the number of token
//     accounts.
package audit
