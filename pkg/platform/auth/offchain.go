package auth

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
)

// offchainDomain is the prefix of every off-chain message. No text of this service begins with the
// first byte, which is not valid UTF-8. No transaction begins with this byte, which would mean
// message version 127.
const offchainDomain = "\xffsolana offchain"

// maxOffchain is the maximum size of an off-chain message with the header, in bytes. Hardware
// wallets accept no larger message (PACKET_DATA_SIZE).
const maxOffchain = 1232

// Formats of the text in an off-chain message of version 0. A third format exists for texts that
// hardware wallets do not accept.
const (
	restrictedASCII = 0
	limitedUTF8     = 1
)

// SignedText reports whether wallet has signed text: the bytes of the text, or an off-chain message
// with exactly this text and no other signer. Hardware wallets sign only off-chain messages.
// SignedText returns false for a key with which anyone can sign.
func SignedText(wallet solana.PublicKey, text string, signature solana.Signature) bool {
	return slices.ContainsFunc(signable(wallet, text), func(message []byte) bool { return Signed(wallet, message, signature) })
}

// signable returns the messages that a wallet may have signed for a text. The off-chain messages
// are built here from the text and the wallet, so a caller chooses no part of the messages:
//
//   - version 0 with an application domain of zeros, as in Ledger's app since 1.8
//     (anza.xyz, "Off-chain message signing"; LedgerHQ/app-solana, libsol/parser.c);
//   - version 0 of the first proposal, without application domain and signers, which the
//     Solana command line signs, and Ledger's app before 1.8 (crate solana-offchain-message);
//   - version 1, which wallets sign by solana:signOffchainMessage (sRFC 3).
//
// No off-chain message has two of these forms. In the first proposal the text is at the position of
// the format, 0 to 2, in the other form of version 0, and no text has such a byte.
func signable(wallet solana.PublicKey, text string) [][]byte {
	list := [][]byte{[]byte(text)}
	const longestHeader = len(offchainDomain) + 1 + 32 + 1 + 1 + solana.PublicKeyLength + 2
	if text == "" || longestHeader+len(text) > maxOffchain || !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return list
	}
	formats := []byte{limitedUTF8}
	if isRestrictedASCII(text) {
		formats = append(formats, restrictedASCII)
	}
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(text))) //nolint:gosec // maxOffchain at most
	for _, format := range formats {
		list = append(list,
			slices.Concat([]byte(offchainDomain), []byte{0}, make([]byte, 32), []byte{format, 1}, wallet[:], length, []byte(text)),
			slices.Concat([]byte(offchainDomain), []byte{0, format}, length, []byte(text)))
	}
	return append(list, slices.Concat([]byte(offchainDomain), []byte{1, 1}, wallet[:], []byte(text)))
}

// isRestrictedASCII accepts printable ASCII and the line feed. The specification excludes the line
// feed, but Ledger's app accepts the line feed (LedgerHQ/app-solana, libsol/string_utils.c), so
// texts of several lines are signed in this format.
func isRestrictedASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > '~' })
}

// isControl reports control characters, which no text of this service has.
func isControl(r rune) bool { return r < ' ' && r != '\n' || r == '\x7f' }
