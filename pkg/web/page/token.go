package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/visible"
)

// detailScript is the source of the script of a token's page.
const detailScript = "src/pages/token.tsx"

// Pages that replace a token's page.
var (
	// NoToken is the page for an unknown token.
	NoToken = View{
		Title: "No such token", script: detailScript,
		Description: "No token with this address was launched here. If someone shows you one under this name, it is a different token.",
	}
	// LaterToken is the page for a token that cannot be read now.
	LaterToken = View{
		Title: "A token", script: detailScript,
		Description: "This token cannot be shown right now. Try again in a moment.",
	}
)

// Token returns the page of a token.
func Token(r token.Record) View {
	path := "/t/" + r.Mint.String()
	return View{
		Path: path, Card: path + "/card.png", script: detailScript,
		Title:       fmt.Sprintf("%s (%s)", visible.Legible(r.Name), visible.Legible(r.Symbol)),
		Description: strings.Join(Facts(r), " "),
	}
}

// Facts returns a token's most important facts, in a short sentence each.
func Facts(r token.Record) []string {
	tax := decimal.Percent(r.TransferFeeBps) + "% tax on every transfer."
	if r.TransferFeeBps == 0 {
		tax = "No tax on transfers."
	}
	if r.FeeAdjustable {
		tax = strings.TrimSuffix(tax, ".") + ", which its creator may change."
	}
	return []string{tax, sharing(r), "No more can be minted."}
}

func sharing(r token.Record) string {
	if !r.Settings.Enabled {
		return "Payouts are paused."
	}
	return fmt.Sprintf("Paid out in %s every %s.", reward(r), every(r.Settings.Interval))
}

// reward returns a short name of the reward asset.
func reward(r token.Record) string {
	asset := r.Settings.RewardToken
	switch {
	case asset == terms.RewardSOL:
		return asset
	case asset == r.Mint.String():
		return visible.Legible(r.Symbol)
	}
	return cmp.Or(terms.Stablecoin(asset), ShortAddress(asset))
}

// every returns an interval in words: "hour", "5 minutes".
func every(i terms.Interval) string {
	d := i.Duration()
	switch {
	case d == time.Hour:
		return "hour"
	case d >= time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " hours"
	default:
		return strconv.Itoa(int(d/time.Minute)) + " minutes"
	}
}

// shown is the number of characters of an address that stay at each end.
const shown = 4

// ShortAddress returns an address without its middle part.
func ShortAddress(address string) string {
	if len(address) <= 2*shown {
		return address
	}
	return address[:shown] + "…" + address[len(address)-shown:]
}
