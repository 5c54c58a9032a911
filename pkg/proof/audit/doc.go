// Package audit reads from the chain alone what became of the tax of a Token-2022 mint
// with a transfer fee, made by this service or not: what was withheld, who withdrew it, into
// which account, and where it first went from there.
//
// It rests on the mint's history: on a mint with a transfer fee, every instruction that
// changes a balance names the mint (spl-token-2022, MintRequiredForTransfer). Amounts come
// from the balances of each transaction, and are computed only where these do not tell; a
// ledger of the withheld amounts is kept beside them, and must agree with what each
// withdrawal brought and with what the node has now.
//
// It promises: what does not agree, and what cannot be known, is said in the report; a
// node that contradicts itself, or never comes to an end, is an error. Memory is bounded
// by the signatures of the history (72 bytes each) and the number of token accounts.
package audit
