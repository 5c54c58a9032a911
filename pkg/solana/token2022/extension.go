package token2022

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// ExtensionType is the type of an extension of a mint or account (spl-token-2022, ExtensionType).
type ExtensionType uint16

// Extension types. Types are extensions of mints, unless marked.
const (
	ExtensionTransferFeeConfig             ExtensionType = 1
	ExtensionTransferFeeAmount             ExtensionType = 2 // of accounts
	ExtensionMintCloseAuthority            ExtensionType = 3
	ExtensionConfidentialTransferMint      ExtensionType = 4
	ExtensionConfidentialTransferAccount   ExtensionType = 5 // of accounts
	ExtensionDefaultAccountState           ExtensionType = 6
	ExtensionImmutableOwner                ExtensionType = 7 // of accounts
	ExtensionMemoTransfer                  ExtensionType = 8 // of accounts
	ExtensionNonTransferable               ExtensionType = 9
	ExtensionInterestBearingConfig         ExtensionType = 10
	ExtensionCpiGuard                      ExtensionType = 11 // of accounts
	ExtensionPermanentDelegate             ExtensionType = 12
	ExtensionNonTransferableAccount        ExtensionType = 13 // of accounts
	ExtensionTransferHook                  ExtensionType = 14
	ExtensionTransferHookAccount           ExtensionType = 15 // of accounts
	ExtensionConfidentialTransferFee       ExtensionType = 16
	ExtensionConfidentialTransferFeeAmount ExtensionType = 17 // of accounts
	ExtensionMetadataPointer               ExtensionType = 18
	ExtensionTokenMetadata                 ExtensionType = 19
	ExtensionGroupPointer                  ExtensionType = 20
	ExtensionTokenGroup                    ExtensionType = 21
	ExtensionGroupMemberPointer            ExtensionType = 22
	ExtensionTokenGroupMember              ExtensionType = 23
	ExtensionConfidentialMintBurn          ExtensionType = 24
	ExtensionScaledUIAmount                ExtensionType = 25
	ExtensionPausable                      ExtensionType = 26
	ExtensionPausableAccount               ExtensionType = 27 // of accounts
	ExtensionPermissionedBurn              ExtensionType = 28
)

var extensionNames = map[ExtensionType]string{
	ExtensionTransferFeeConfig:             "transfer fee",
	ExtensionTransferFeeAmount:             "withheld transfer fee",
	ExtensionMintCloseAuthority:            "mint close authority",
	ExtensionConfidentialTransferMint:      "confidential transfer",
	ExtensionConfidentialTransferAccount:   "confidential transfer account",
	ExtensionDefaultAccountState:           "default account state",
	ExtensionImmutableOwner:                "immutable owner",
	ExtensionMemoTransfer:                  "required memo",
	ExtensionNonTransferable:               "non-transferable",
	ExtensionInterestBearingConfig:         "interest",
	ExtensionCpiGuard:                      "CPI guard",
	ExtensionPermanentDelegate:             "permanent delegate",
	ExtensionNonTransferableAccount:        "non-transferable account",
	ExtensionTransferHook:                  "transfer hook",
	ExtensionTransferHookAccount:           "transfer hook account",
	ExtensionConfidentialTransferFee:       "confidential transfer fee",
	ExtensionConfidentialTransferFeeAmount: "withheld confidential transfer fee",
	ExtensionMetadataPointer:               "metadata pointer",
	ExtensionTokenMetadata:                 "metadata",
	ExtensionGroupPointer:                  "group pointer",
	ExtensionTokenGroup:                    "group",
	ExtensionGroupMemberPointer:            "group member pointer",
	ExtensionTokenGroupMember:              "group member",
	ExtensionConfidentialMintBurn:          "confidential mint and burn",
	ExtensionScaledUIAmount:                "scaled amount",
	ExtensionPausable:                      "pausable",
	ExtensionPausableAccount:               "pausable account",
	ExtensionPermissionedBurn:              "permissioned burn",
}

// String returns a plain name of the extension.
func (e ExtensionType) String() string {
	if name, ok := extensionNames[e]; ok {
		return name
	}
	return fmt.Sprintf("extension %d", uint16(e))
}

// Layout of an account with extensions: the base account padded to the length of a token account, a
// byte with the account type, then entries of u16 type, u16 length, value. Type 0 ends the entries.
const (
	// AccountTypeOffset is the position of the account type, and AccountTypeAccount the type of a
	// token account (spl-token-2022, AccountType).
	AccountTypeOffset  = 165
	AccountTypeAccount = 2

	extensionsOffset = AccountTypeOffset + 1
	accountTypeMint  = 1
	multisigLength   = 355 // never a mint or account: the program recognizes the length
	tlvHeader        = 4

	transferFeeConfigLength = 108
	transferFeeAmountLength = 8
	metadataPointerLength   = 64
)

var (
	errWrongProgram  = errors.New("its owner is not a token program")
	errLength        = errors.New("its length is wrong")
	errKind          = errors.New("it is another kind of account")
	errUninitialized = errors.New("it is not initialized")
	errCutOff        = errors.New("its extensions are cut off")
	errOption        = errors.New("an optional authority is malformed")
)

type extension struct {
	kind  ExtensionType
	value []byte
}

// extensions checks owner, length and kind of an account and returns its extensions. After a
// success, data has at least base bytes.
func extensions(owner solana.PublicKey, data []byte, base int, kind byte) ([]extension, error) {
	rest, err := extensionBytes(owner, data, base, kind, 0)
	if err != nil {
		return nil, err
	}
	var list []extension
	for {
		e, behind, err := nextExtension(rest)
		if err != nil {
			return nil, err
		}
		if e.kind == 0 {
			return list, nil
		}
		list, rest = append(list, e), behind
	}
}

// extensionBytes checks owner, length and kind of an account and returns the bytes of its
// extensions. data lacks the first skipped bytes of the account. After a success, data has at least
// the remainder of base bytes.
func extensionBytes(owner solana.PublicKey, data []byte, base int, kind byte, skipped int) ([]byte, error) {
	length := skipped + len(data)
	switch owner {
	case solana.TokenProgramID:
		if length != base {
			return nil, errLength
		}
		return nil, nil
	case solana.Token2022ProgramID:
	default:
		return nil, errWrongProgram
	}
	switch {
	case length == base:
		return nil, nil
	case length <= AccountTypeOffset, length == multisigLength:
		return nil, errLength
	case data[AccountTypeOffset-skipped] != kind:
		return nil, errKind
	}
	return data[extensionsOffset-skipped:], nil
}

// nextExtension reads the first extension and returns the bytes behind the extension. A kind of 0
// means that no extension is left.
func nextExtension(rest []byte) (e extension, behind []byte, err error) {
	if len(rest) < 2 {
		return extension{}, nil, nil
	}
	e.kind = ExtensionType(binary.LittleEndian.Uint16(rest))
	if e.kind == 0 {
		return extension{}, nil, nil
	}
	if len(rest) < tlvHeader {
		return extension{}, nil, errCutOff
	}
	end := tlvHeader + int(binary.LittleEndian.Uint16(rest[2:]))
	if len(rest) < end {
		return extension{}, nil, errCutOff
	}
	e.value = rest[tlvHeader:end]
	return e, rest[end:], nil
}

// optionalKey reads a COption<Pubkey>: u32 tag, key. data has 36 bytes.
func optionalKey(data []byte) (solana.PublicKey, error) {
	var key solana.PublicKey
	switch binary.LittleEndian.Uint32(data) {
	case 0:
	case 1:
		copy(key[:], data[4:])
	default:
		return key, errOption
	}
	return key, nil
}

// reader reads fields from a value. short is set, and stays set, after a read of too many bytes.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if r.short || n > len(r.rest) {
		r.short = true
		return nil
	}
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) key() (key solana.PublicKey) {
	copy(key[:], r.take(len(key)))
	return key
}

func (r *reader) u16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text reads a string. The program writes only valid UTF-8.
func (r *reader) text() string {
	n := r.u32()
	if uint64(n) > uint64(len(r.rest)) {
		r.short = true
		return ""
	}
	b := r.take(int(n))
	if !utf8.Valid(b) {
		r.short = true
		return ""
	}
	return string(b)
}

func (r *reader) transferFee() TransferFee {
	return TransferFee{Epoch: r.u64(), MaximumFee: r.u64(), BasisPoints: r.u16()}
}

func (r *reader) metadata() *Metadata {
	m := &Metadata{
		UpdateAuthority: r.key(), Mint: r.key(),
		Name: r.text(), Symbol: r.text(), URI: r.text(),
	}
	for n := r.u32(); n > 0 && !r.short; n-- {
		m.Additional = append(m.Additional, MetadataEntry{Key: r.text(), Value: r.text()})
	}
	return m
}
