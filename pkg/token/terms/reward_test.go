package terms_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

var (
	usdc  = solana.MustPublicKeyFromBase58("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	other = solana.MustPublicKeyFromBase58("Vote111111111111111111111111111111111111111")
)

// mint is an initialized mint of 6 decimals; freezable reports whether an authority may
// freeze its accounts. Layout: spl-token, Mint.
func mint(freezable bool) []byte {
	data := make([]byte, 82)
	data[44], data[45] = 6, 1
	if freezable {
		data[46] = 1
		copy(data[50:], other[:])
	}
	return data
}

// extended is such a mint of Token-2022 with one extension of zeros.
func extended(extension token2022.ExtensionType, length int) []byte {
	data := append(mint(false), make([]byte, 165-82)...)
	data = append(data, 1) // the account is a mint
	data = binary.LittleEndian.AppendUint16(data, uint16(extension))
	data = binary.LittleEndian.AppendUint16(data, uint16(length))
	return append(data, make([]byte, length)...)
}

func TestWhyNotReward(t *testing.T) {
	for name, c := range map[string]struct {
		mint, owner solana.PublicKey
		data        []byte
		why         string // a part of the sentence; empty: holders can be paid
	}{
		"a plain mint":                  {other, solana.TokenProgramID, mint(false), ""},
		"a plain mint of Token-2022":    {other, solana.Token2022ProgramID, mint(false), ""},
		"USDC, which can be frozen":     {usdc, solana.TokenProgramID, mint(true), ""},
		"another that can be frozen":    {other, solana.TokenProgramID, mint(true), "freeze"},
		"a wallet":                      {other, solana.SystemProgramID, nil, "not a token mint"},
		"a mint of another program":     {other, solana.StakeProgramID, mint(false), "not a token mint"},
		"a token account":               {other, solana.TokenProgramID, make([]byte, 165), "not a token mint"},
		"cut off":                       {other, solana.TokenProgramID, mint(false)[:81], "not a token mint"},
		"with a transfer fee":           {other, solana.Token2022ProgramID, extended(token2022.ExtensionTransferFeeConfig, 108), ""},
		"with a metadata pointer":       {other, solana.Token2022ProgramID, extended(token2022.ExtensionMetadataPointer, 64), ""},
		"with a transfer hook":          {other, solana.Token2022ProgramID, extended(token2022.ExtensionTransferHook, 64), "transfer hook"},
		"with a permanent delegate":     {other, solana.Token2022ProgramID, extended(token2022.ExtensionPermanentDelegate, 32), "permanent delegate"},
		"with accounts frozen at first": {other, solana.Token2022ProgramID, extended(token2022.ExtensionDefaultAccountState, 1), "default account state"},
		"that can be paused":            {other, solana.Token2022ProgramID, extended(token2022.ExtensionPausable, 33), "pausable"},
		"that cannot be transferred":    {other, solana.Token2022ProgramID, extended(token2022.ExtensionNonTransferable, 0), "non-transferable"},
		"with an extension of tomorrow": {other, solana.Token2022ProgramID, extended(999, 4), "extension"},
		"USDC's address, with a hook":   {usdc, solana.Token2022ProgramID, extended(token2022.ExtensionTransferHook, 64), "transfer hook"},
		"that an authority can close":   {other, solana.Token2022ProgramID, extended(token2022.ExtensionMintCloseAuthority, 32), "mint close authority"},
	} {
		t.Run(name, func(t *testing.T) {
			why := terms.WhyNotReward(c.mint, c.owner, c.data)
			if (c.why == "") != (why == "") || !strings.Contains(why, c.why) {
				t.Errorf("got %q, want %q", why, c.why)
			}
		})
	}
}
