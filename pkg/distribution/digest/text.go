package digest

import (
	"math/big"
	"net/url"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// maxPayments is the maximum number of payments in a digest. Three assets of a token with the
	// shortest interval fit.
	maxPayments = 1_000
	// The maximum numbers of lines, because Telegram takes 4,096 characters (Bot API, sendMessage).
	maxPaidLines, maxOtherLines = 10, 5
)

// news is the content of a digest.
type news struct {
	paid    []sum
	lowered []lowered
	// claims are what the wallet can claim, of tokens.
	claims []holder.Claimed
	tokens []token.Record
	// more reports that payments are missing.
	more bool
}

// sum is the sum of the payments of a token in an asset.
type sum struct {
	token    token.Record
	asset    terms.Asset
	decimals uint8
	amount   big.Int
	payments int
}

// lowered is a change to the worse for holders.
type lowered struct {
	token  token.Record
	change terms.Change
}

// add adds a payment to the sums.
func (n *news) add(p holder.Paid) {
	at := len(n.paid)
	for i, s := range n.paid {
		if s.token.Mint == p.Token.Mint && s.asset == p.Row.Row.Asset {
			at = i
		}
	}
	if at == len(n.paid) {
		n.paid = append(n.paid, sum{token: p.Token, asset: p.Row.Row.Asset, decimals: p.Decimals})
	}
	s := &n.paid[at]
	s.amount.Add(&s.amount, new(big.Int).SetUint64(p.Row.Row.Received))
	s.payments++
}

// lower adds the changes in a span that lowered the holders' share, or paused payouts.
func (n *news) lower(t token.Record, changes []terms.Change, in span) {
	for _, c := range changes {
		if c.Before != nil && in.has(c.OrderedAt) && (c.HoldersBps() < c.Before.HoldersBps() || c.Before.Enabled && !c.Enabled) {
			n.lowered = append(n.lowered, lowered{t, c})
		}
	}
}

// text returns the message, or an empty text without news.
func (n news) text(page string, wallet solana.PublicKey) string {
	var m notice.Message
	if len(n.paid) > 0 {
		m.Line(notice.Bold("You were paid"))
		for _, s := range n.paid[:min(len(n.paid), maxPaidLines)] {
			m.Line(notice.Foreign(s.token.Symbol), ": ", amount(s.token, s.asset, s.decimals, &s.amount), times(s.payments))
		}
		rest(&m, len(n.paid)-maxPaidLines)
		if n.more {
			m.Line("There may be more payments than these.")
		}
	}
	if len(n.lowered) > 0 {
		m.Line(notice.Bold("A creator took something back"))
		for _, l := range n.lowered[:min(len(n.lowered), maxOtherLines)] {
			m.Line(notice.Foreign(l.token.Symbol), ": ", l.words(), notice.Link(" Changes", page+"/t/"+l.token.Mint.String()+"#changes"))
		}
		rest(&m, len(n.lowered)-maxOtherLines)
	}
	n.claimable(&m)
	if len(m) == 0 {
		return ""
	}
	m.Line("Wallet: ", notice.Foreign(wallet.String()))
	m.Line(notice.Link("My rewards", page+"/rewards?wallet="+url.QueryEscape(wallet.String())), " · /unlink ends these messages")
	return m.Text()
}

// claimable adds what the wallet can claim.
func (n news) claimable(m *notice.Message) {
	var lines []string
	for i, one := range n.claims {
		if one.Problem != nil {
			continue
		}
		for _, row := range one.Rows {
			if left := row.Carried - row.Reserved; left > 0 {
				lines = append(lines, notice.Foreign(n.tokens[i].Symbol)+": "+
					waiting(n.tokens[i], row.Asset, left))
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	m.Line(notice.Bold("You can claim"))
	for _, line := range lines[:min(len(lines), maxOtherLines)] {
		m.Line(line)
	}
	rest(m, len(lines)-maxOtherLines)
}

// waiting returns an unpaid amount in words. The decimals of a third party's asset are not known here.
func waiting(t token.Record, asset terms.Asset, units uint64) string {
	switch {
	case asset.IsSOL():
		return amount(t, asset, 0, new(big.Int).SetUint64(units))
	case asset.Mint() == t.Mint:
		return amount(t, asset, uint8(t.Decimals), new(big.Int).SetUint64(units)) //nolint:gosec // at most 9
	}
	return "an amount of " + notice.Foreign(asset.String())
}

// amount returns an amount in words.
func amount(t token.Record, asset terms.Asset, decimals uint8, units *big.Int) string {
	coin := notice.CurrencyOf(asset, decimals, t.Mint, t.Symbol)
	return decimal.Big(units, coin.Decimals) + " " + coin.Name
}

func times(payments int) string {
	if payments == 1 {
		return ""
	}
	return " in " + strconv.Itoa(payments) + " payments"
}

func rest(m *notice.Message, more int) {
	if more > 0 {
		m.Line("and ", strconv.Itoa(more), " more")
	}
}

// words returns the change in words.
func (l lowered) words() string {
	before, after := l.change.Before.HoldersBps(), l.change.HoldersBps()
	words := ""
	if after < before {
		words = "holders get " + decimal.Percent(after) + "% in place of " + decimal.Percent(before) + "%."
	}
	if l.change.Before.Enabled && !l.change.Enabled {
		if words != "" {
			words += " "
		}
		words += "payouts are paused."
	}
	return words
}
