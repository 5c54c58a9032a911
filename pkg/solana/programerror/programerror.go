// Package programerror translates the error codes of Solana programs into sentences that a creator
// or holder understands.
package programerror

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// Explain describes a program's custom error code in one sentence. For an unknown program or code,
// the sentence contains the program's address or the code.
func Explain(program solana.PublicKey, code uint32) string {
	var table map[uint32]string
	name := "The program " + program.String()
	switch program {
	case solana.SystemProgramID:
		name, table = "The System program", system
	case solana.TokenProgramID:
		name, table = "The Token program", token
	case solana.Token2022ProgramID:
		name, table = "The Token-2022 program", token
	case solana.SPLAssociatedTokenAccountProgramID:
		name, table = "The associated token account program", associated
	case raydium.Mainnet.Program, raydium.Devnet.Program:
		name, table = "Raydium's pool program", cpmm
	case meteora.Program:
		name, table = "Meteora's pool program", damm
	case locker.Program:
		name = "Jupiter Lock"
	case lighthouse.Program:
		name, table = "Lighthouse, whose assertions a wallet adds,", guard
	}
	if sentence, ok := table[code]; ok {
		return sentence
	}
	return fmt.Sprintf("%s refused with error 0x%x.", name, code)
}

// system is SystemError (solana-system-interface).
var system = map[uint32]string{
	0: "An account with this address is already in use.",
	1: "The paying account does not have enough SOL.",
	2: "The account cannot be given to this program.",
	3: "The requested account is too large.",
	4: "The seed of the address is too long.",
	5: "The address does not come from the given seed.",
	6: "The network has no recent blockhashes to make a nonce of.",
	7: "The nonce cannot be advanced twice with the same blockhash.",
	8: "The nonce has been advanced meanwhile.",
}

// token is TokenError (spl-token-interface, spl-token-2022-interface).
var token = map[uint32]string{
	0:  "The account holds too little SOL for its rent.",
	1:  "The token account does not hold enough tokens.",
	2:  "The mint is not valid.",
	3:  "The token account belongs to another mint.",
	4:  "The signer does not own the account or lacks its authority.",
	5:  "The supply of this token is fixed: no more can be minted.",
	6:  "The account is already in use.",
	7:  "The number of signers given is wrong.",
	8:  "The number of signers required is wrong.",
	9:  "The account is not initialized.",
	10: "This cannot be done with wrapped SOL.",
	11: "The token account still holds tokens and cannot be closed.",
	12: "The instruction is not valid.",
	13: "The account's state does not allow this.",
	14: "The amount is too large.",
	15: "The account has no authority of this kind.",
	16: "This mint cannot freeze accounts.",
	17: "The token account is frozen.",
	18: "The mint has another number of decimals.",
	19: "This can be done with wrapped SOL only.",
	20: "The account lacks the extension that this needs.",
	21: "The extension does not fit this kind of account.",
	22: "The extension is already initialized.",
	28: "The mint still has supply.",
	29: "The authority to change this was given up permanently.",
	30: "The transfer tax is out of range: at most 100 percent.",
	31: "This mint taxes transfers, so a plain transfer is refused; a checked transfer that names the mint is needed.",
	32: "The transfer tax differs from the one expected.",
	33: "The tax settings differ from those expected.",
	34: "The owner of this token account cannot be changed.",
	35: "The token account still holds withheld transfer tax.",
	36: "The receiving account wants a memo with each transfer.",
	37: "This token cannot be transferred.",
}

// associated is AssociatedTokenAccountError.
var associated = map[uint32]string{
	0: "The associated token account belongs to another wallet.",
}

// guard is LighthouseError.
var guard = map[uint32]string{
	lighthouse.AssertionFailed: "An assertion that the wallet added does not hold: sign again.",
}

// SystemInsufficientFunds is the System program's code for a payer with too
// little SOL (SystemError::ResultWithNegativeLamports).
const SystemInsufficientFunds = 1

// ExplainCause describes a rejection without a custom code in one sentence
// (solana-instruction-error, InstructionError, by the name of its variant). It returns false for an
// unknown variant.
func ExplainCause(name string) (string, bool) {
	sentence, ok := causes[name]
	return sentence, ok
}

var causes = map[string]string{
	"AccountAlreadyInitialized":          "The account is already initialized.",
	"AccountBorrowFailed":                "The same account is used twice in a way that is not allowed.",
	"AccountNotRentExempt":               "The account holds too little SOL for its rent.",
	"ComputationalBudgetExceeded":        "The transaction needs more computing than its limit allows.",
	"IllegalOwner":                       "The account belongs to another program.",
	"IncorrectAuthority":                 "The signer lacks the authority.",
	"IncorrectProgramId":                 "The account belongs to another program.",
	"InsufficientFunds":                  "The account does not have enough SOL.",
	"InvalidAccountData":                 "An account does not hold what is expected of it.",
	"InvalidAccountOwner":                "The account belongs to another program.",
	"InvalidArgument":                    "An argument is not valid.",
	"InvalidInstructionData":             "The instruction is not valid.",
	"InvalidRealloc":                     "The account cannot grow this much.",
	"MaxAccountsDataAllocationsExceeded": "The transaction allocates too much data.",
	"MissingAccount":                     "An account is missing.",
	"MissingRequiredSignature":           "A signature is missing.",
	"ProgramFailedToComplete":            "The program was stopped; the transaction may need more computing than its limit allows.",
	"UninitializedAccount":               "The account is not initialized.",
	"UnsupportedProgramId":               "The program does not exist on this network.",
}
