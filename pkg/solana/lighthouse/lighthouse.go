// Package lighthouse recognizes the instructions of the Lighthouse program, whose assertions
// wallets append to what they sign (Jac0xb/lighthouse, program 2.0).
package lighthouse

import "github.com/gagliardetto/solana-go"

// Program is the address of Lighthouse.
var Program = solana.MustPublicKeyFromBase58("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95")

// Discriminators of the instructions that only read accounts, AssertAccountData to
// AssertSysvarClock. 0 and 1 write and close memory accounts; 16 and 17 are about Merkle trees, and
// 16 calls another program.
const firstAssertion, lastAssertion = 2, 15

// AssertionFailed is the error code of an assertion that does not hold.
const AssertionFailed = 6001

// IsAssertion reports whether the data of an instruction are those of an assertion that only reads
// accounts.
func IsAssertion(data []byte) bool {
	return len(data) > 0 && data[0] >= firstAssertion && data[0] <= lastAssertion
}
