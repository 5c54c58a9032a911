package onchain

import "github.com/gagliardetto/solana-go"

// reserved are the addresses that the network reserves: built-in programs, sysvars, and keys
// without an account (agave-reserved-account-keys 4.2.0, RESERVED_ACCOUNTS). The upstream list only
// grows.
var reserved = set(
	"AddressLookupTab1e1111111111111111111111111",
	"BPFLoader2111111111111111111111111111111111",
	"BPFLoader1111111111111111111111111111111111",
	"BPFLoaderUpgradeab1e11111111111111111111111",
	"ComputeBudget111111111111111111111111111111",
	"Config1111111111111111111111111111111111111",
	"Ed25519SigVerify111111111111111111111111111",
	"Feature111111111111111111111111111111111111",
	"LoaderV411111111111111111111111111111111111",
	"KeccakSecp256k11111111111111111111111111111",
	"Secp256r1SigVerify1111111111111111111111111",
	"StakeConfig11111111111111111111111111111111",
	"Stake11111111111111111111111111111111111111",
	"11111111111111111111111111111111",
	"Vote111111111111111111111111111111111111111",
	"ZkE1Gama1Proof11111111111111111111111111111",
	"ZkTokenProof1111111111111111111111111111111",

	"SysvarC1ock11111111111111111111111111111111",
	"SysvarEpochRewards1111111111111111111111111",
	"SysvarEpochSchedu1e111111111111111111111111",
	"SysvarFees111111111111111111111111111111111",
	"Sysvar1nstructions1111111111111111111111111",
	"SysvarLastRestartS1ot1111111111111111111111",
	"SysvarRecentB1ockHashes11111111111111111111",
	"SysvarRent111111111111111111111111111111111",
	"SysvarRewards111111111111111111111111111111",
	"SysvarS1otHashes111111111111111111111111111",
	"SysvarS1otHistory11111111111111111111111111",
	"SysvarStakeHistory1111111111111111111111111",

	"NativeLoader1111111111111111111111111111111",
	"Sysvar1111111111111111111111111111111111111",
)

func set(list ...string) map[solana.PublicKey]bool {
	keys := make(map[solana.PublicKey]bool, len(list))
	for _, text := range list {
		keys[solana.MustPublicKeyFromBase58(text)] = true
	}
	return keys
}

// Reserved reports whether the network reserves an address. No transaction can change or pay the
// account at a reserved address, even if the address is a point of ed25519 and has no account yet.
func Reserved(address solana.PublicKey) bool { return reserved[address] }
