package main

import (
	"fmt"
	"strings"

	"tokenlaunch.example/service/pkg/client"
)

type showHistory struct {
	Token string `arg:"" help:"Id or mint of the token."`
	Limit int    `help:"How many at most; 0 means all." default:"20"`
}

// Run lists the changes of a token's settings.
func (s showHistory) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	changes := []client.PastChange{}
	for one, err := range c.AllSettingsChanges(p.ctx, s.Token) {
		if err != nil {
			return err
		}
		if changes = append(changes, one); s.Limit > 0 && len(changes) == s.Limit {
			break
		}
	}
	if p.json {
		return p.write(map[string]any{"changes": changes})
	}
	if len(changes) == 0 {
		p.out.printf("The settings are those of the launch.\n")
		return nil
	}
	rows := [][]string{{"VERSION", "ORDERED AT", "EFFECTIVE AT", "SIGNED", "CHANGED"}}
	for _, one := range changes {
		signed := "no"
		if one.Order != nil {
			signed = "yes"
		}
		rows = append(rows, []string{fmt.Sprint(one.Version), one.OrderedAt.String(), one.EffectiveAt.String(), signed, differences(one.Changed)})
	}
	p.columns(rows)
	return nil
}

// differences returns the changed settings on one line.
func differences(changed []client.ChangedSetting) string {
	words := make([]string, len(changed))
	for i, one := range changed {
		words[i] = one.Field
		if one.Before != "" || one.After != "" {
			words[i] += fmt.Sprintf(" %q to %q", one.Before, one.After)
		}
	}
	return strings.Join(words, ", ")
}
