package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// checkLaunch is the name of the check of the first snapshot's settings against the launch.
const checkLaunch = "launch"

// checkLaunched checks the settings against the settings in the metadata file that the launch names.
// The creator's signature on the launch fixes the file by the content ID. A proof with an earlier
// snapshot has no such check, because the run before holds the settings to earlier settings.
func (v *verifier) checkLaunched(ctx context.Context) {
	if v.launch == nil {
		return
	}
	uri := metadataOf(*v.launch, v.m.Mint)
	if uri == "" {
		v.report.proven(checkLaunch, nil, "the launch names no metadata file, so it promises nothing to holders")
		return
	}
	cid := uri[strings.LastIndexByte(uri, '/')+1:]
	if !format.IsCID(cid) {
		v.report.skip(checkLaunch, "the launch names a metadata file that is not one block, so its settings are not known")
		return
	}
	file, err := format.Open(ctx, v.source, content.Metadata, cid)
	if errors.Is(err, format.ErrNoFile) {
		v.report.skip(checkLaunch, fmt.Sprintf("the metadata file %s of the launch is not here, so what it promised to holders is not known", cid))
		return
	}
	if err != nil {
		v.report.proven(checkLaunch, err, "")
		return
	}
	text, err := token.LaunchSettings(file)
	if err != nil || text == "" {
		v.report.proven(checkLaunch, nil, "the metadata file %s of the launch has no settings, so it promises nothing to holders", cid)
		return
	}
	v.checkPromised(text, cid)
}

// checkPromised checks the settings against the text of the launch's settings.
func (v *verifier) checkPromised(text, cid string) {
	m := v.m
	mint, now := m.Mint.PublicKey(), m.Settings.Terms()
	if m.Settings.Version == terms.LaunchVersion {
		var err error
		if terms.OrderText(mint, terms.LaunchVersion, now) != text {
			err = fmt.Errorf("version %d of the settings is not the text in the metadata file %s of the launch", m.Settings.Version, cid)
		}
		if err == nil {
			var r rules
			r.delayed(m, terms.Paid{Version: m.Paid().Version})
			err = r.err()
		}
		v.report.proven(checkLaunch, err, "the settings are those in the metadata file %s of the launch", cid)
		return
	}
	launched, ok := terms.LaunchPromise(mint, text)
	if !ok {
		v.report.skip(checkLaunch, fmt.Sprintf("the settings in the metadata file %s of the launch cannot be read", cid))
		return
	}
	var r rules
	r.promise(now, launched)
	r.delayed(m, terms.Paid{Version: terms.Version{Settings: launched, Number: terms.LaunchVersion}})
	v.report.proven(checkLaunch, r.err(), "the settings keep the minimum of %d basis points that the launch promised to holders", launched.MinimumHoldersBps)
}

// promise holds settings to the promise of earlier settings to holders.
func (r *rules) promise(now, then terms.Settings) {
	for _, broken := range now.CheckPromise(then) {
		if broken.Field == "changeDelay" {
			r.hold(false, "the settings break the delay of changes that holders were promised: %s: %s", broken.Field, broken.Message)
			continue
		}
		r.hold(false, "the settings break the minimum of %d basis points that holders were promised: %s: %s", then.MinimumHoldersBps, broken.Field, broken.Message)
	}
}

// metadataOf returns the address of the metadata file that a launch writes into the mint; empty if
// the launch writes no metadata.
func metadataOf(launch chain.Transaction, mint format.Key) string {
	for _, in := range launch.Instructions {
		if in.Program != solana.Token2022ProgramID || len(in.Accounts) == 0 || in.Accounts[0] != mint.PublicKey() {
			continue
		}
		if uri, ok := token2022.ReadMetadataURI(in.Data); ok {
			return uri
		}
	}
	return ""
}
