package main

import (
	"fmt"
	"reflect"
	"strings"

	"tokenlaunch.example/service/pkg/client"
)

type showSettings struct {
	Token string `arg:"" help:"Id or mint of the token."`
}

// Run shows the settings.
func (s showSettings) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	now, err := c.GetDistributionSettings(p.ctx, s.Token)
	if err != nil {
		return err
	}
	return p.showSettings(now)
}

type setSettings struct {
	Token string `arg:"" help:"Id or mint of the token."`

	Enabled         *bool              `help:"Distribute, or pause with --no-enabled." negatable:""`
	Interval        client.Interval    `help:"How often: ${intervals}."`
	RewardToken     string             `help:"What holders are paid in: SOL, or the address of a mint." placeholder:"MINT"`
	MinimumHolding  *client.Amount     `help:"Base units that a holder must have to be paid." placeholder:"N"`
	Sell            *client.Percent    `help:"Share of the collected tax that one distribution uses, percent." placeholder:"PERCENT"`
	Burn            *client.Percent    `help:"Share of the tax that is burned, percent." placeholder:"PERCENT"`
	DeveloperFee    *client.Percent    `help:"Share of the tax that the developer's wallet gets, percent." placeholder:"PERCENT"`
	DeveloperWallet string             `help:"Where that goes." placeholder:"ADDRESS"`
	Split           []string           `help:"Share that among wallets in place of it: ADDRESS=PERCENT, two to ten times, 100 percent in all; 'none' ends the split." placeholder:"ADDRESS=PERCENT"`
	Basis           client.RewardBasis `help:"Which balance of a holder counts: snapshot, or held, the lesser of this snapshot's and the one before, so that a purchase just before a distribution earns nothing."`
	MinimumHolders  *client.Percent    `help:"Share of the tax that holders always get, percent. Can only be raised." placeholder:"PERCENT"`
	ChangeDelay     client.ChangeDelay `help:"Time until a change that lowers what holders get holds: 24h or 7d. Can only be raised."`
	Telegram        *string            `help:"Group that is told of distributions once it is linked: its id or @name; empty for none." placeholder:"GROUP"`
	Unsigned        bool               `help:"Do not sign the settings as they become. Proofs then take it on trust that you wanted them."`
	Yes             bool               `help:"Do not ask before signing." short:"y"`
	Tax             *client.Percent    `help:"Tax on every transfer, percent, where it may be changed. Answers a transaction for you to send." placeholder:"PERCENT"`
}

// Run changes the settings.
func (s setSettings) Run(p *program) error {
	change := client.SettingsChange{
		DistributionEnabled: s.Enabled, RewardToken: s.RewardToken, MinimumHoldingRequirement: s.MinimumHolding,
		PercentageToSellPerDistribution: s.Sell, BurnPercent: s.Burn, DeveloperFeePercent: s.DeveloperFee,
		TelegramGroupID: s.Telegram, TransferFeePercent: s.Tax, DistributionInterval: s.Interval,
		RewardBasis: s.Basis, MinimumHoldersPercent: s.MinimumHolders, ChangeDelay: s.ChangeDelay,
	}
	if s.DeveloperWallet != "" {
		var err error
		if change.DeveloperWallet, err = address("--developer-wallet", s.DeveloperWallet); err != nil {
			return err
		}
	}
	splits, err := readSplits(s.Split)
	if err != nil {
		return err
	}
	change.CreatorSplits = splits
	if reflect.ValueOf(change).IsZero() {
		return usage("say what to change: tokenlaunch settings set --help lists it")
	}
	// The tax is not one of the signed settings, and a change of the tax is signed as a
	// transaction.
	unsigned := s.Unsigned || reflect.DeepEqual(change, client.SettingsChange{TransferFeePercent: s.Tax})
	c, err := p.client(true)
	if err == nil {
		err = p.answerable(s.Yes || unsigned)
	}
	if err != nil {
		return err
	}
	if unsigned {
		now, err := c.ChangeDistributionSettings(p.ctx, s.Token, change)
		if err != nil {
			return err
		}
		return p.showSettings(now)
	}
	return p.order(c, s.Token, change, s.Yes)
}

type signSettings struct {
	Token string `arg:"" help:"Id or mint of the token."`
	Yes   bool   `help:"Do not ask before signing." short:"y"`
}

// Run signs the current settings.
func (s signSettings) Run(p *program) error {
	c, err := p.client(true)
	if err == nil {
		err = p.answerable(s.Yes)
	}
	if err != nil {
		return err
	}
	return p.order(c, s.Token, client.SettingsChange{}, s.Yes)
}

type linkGroup struct {
	Token string `arg:"" help:"Id or mint of the token."`
}

// Run requests a code for the group in the settings.
func (l linkGroup) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	code, err := c.LinkTelegram(p.ctx, l.Token)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(code)
	}
	rows := [][2]string{{"group", code.TelegramGroupID}}
	if code.Bot != nil {
		rows = append(rows, [2]string{"bot", "@" + *code.Bot + ", which must be in the group"})
	}
	p.table(append(rows, [2]string{"post there, as an administrator", code.Command}, [2]string{"before", code.ExpiresAt.String()}))
	return nil
}

// order makes a change by the wallet's signature. The settings are shown before the signature,
// because the unchanged values come from the service, which the wallet need not trust.
func (p *program) order(c *client.Client, token string, change client.SettingsChange, yes bool) error {
	now, err := c.OrderDistributionSettings(p.ctx, token, change, func(text string) error {
		_, err := fmt.Fprintf(p.errs.writer(), "Your wallet signs these settings. Settings that you did not name stay as the service has them now:\n\n%s\n\n", text)
		if err != nil || yes {
			return err
		}
		return p.ask("Sign them?", "not signed, and nothing was changed")
	})
	if err != nil {
		return err
	}
	return p.showSettings(now)
}

func (p *program) showSettings(s client.EffectiveSettings) error {
	if p.json {
		return p.write(s)
	}
	rows := s.Words()
	if s.TelegramGroupID != "" {
		rows = append(rows, [2]string{"That group is told", map[bool]string{true: "yes", false: "not before its administrator agrees: tokenlaunch settings link"}[s.TelegramLinked]})
	}
	p.table(append(rows,
		[2]string{"These hold from", s.EffectiveAt.String()},
		[2]string{"Version", fmt.Sprintf("%d, %s", s.Version, map[bool]string{true: "signed by you", false: "not signed by you"}[s.OrderedByCreator])},
	))
	if t := s.TransferFee; t != nil {
		p.out.printf("\nThe tax becomes %s%% from epoch %d on, when you sign this transaction and send it to the network before %s:\n%s\n",
			t.TransferFeePercent, t.EffectiveEpoch, t.ExpiresAt, t.Transaction)
	}
	return nil
}

// readSplits parses the splits of the creator's share. Without flags the result is nil, and for
// "none" the result is empty.
func readSplits(words []string) ([]client.CreatorSplit, error) {
	if len(words) == 1 && words[0] == "none" {
		return []client.CreatorSplit{}, nil
	}
	var list []client.CreatorSplit
	for _, word := range words {
		wallet, percent, ok := strings.Cut(word, "=")
		var one client.CreatorSplit
		var err error
		if !ok {
			return nil, usage("--split %s: must be ADDRESS=PERCENT, or none", word)
		}
		if one.Wallet, err = address("--split", wallet); err != nil {
			return nil, err
		}
		if err = one.Percent.UnmarshalText([]byte(percent)); err != nil {
			return nil, usage("--split %s: %v", word, err)
		}
		list = append(list, one)
	}
	return list, nil
}
