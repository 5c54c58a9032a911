package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gagliardetto/solana-go"
	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token"
)

// orderFlags are the flags of a token to launch. Flags override the file.
type orderFlags struct {
	File  string `help:"JSON or YAML file with fields as POST /tokens/create-unsigned has them, and image, the path of the image file." type:"existingfile" short:"f"`
	Image string `help:"The image, PNG or JPEG." type:"existingfile" placeholder:"FILE"`

	Name        string `help:"Name, at most 32 characters."`
	Symbol      string `help:"Symbol, at most 10 characters."`
	Description string `help:"What the token is."`
	token.Links

	Decimals int             `help:"6 or 9. (default: 6)" placeholder:"N"`
	Supply   *client.Amount  `help:"The whole supply in base units." xor:"supply" placeholder:"N"`
	Tokens   string          `help:"The whole supply in whole tokens." xor:"supply" placeholder:"N"`
	Tax      *client.Percent `help:"Tax on every transfer, percent." placeholder:"PERCENT"`

	Burn             *client.Percent    `help:"Share of the tax that is burned, percent." placeholder:"PERCENT"`
	DeveloperFee     *client.Percent    `help:"Share of the tax that the developer's wallet gets, percent." placeholder:"PERCENT"`
	DeveloperWallet  string             `help:"Where that goes; your wallet if unset." placeholder:"ADDRESS"`
	Split            []string           `help:"Share that among wallets in place of it: ADDRESS=PERCENT, two to ten times, 100 percent in all." placeholder:"ADDRESS=PERCENT"`
	Basis            client.RewardBasis `help:"Which balance of a holder counts: snapshot, or held: a purchase just before a distribution earns nothing. (default: snapshot)"`
	Interval         client.Interval    `help:"How often the tax is distributed: ${intervals}. (default: ${interval})"`
	Sell             *client.Percent    `help:"Share of the collected tax that one distribution uses, percent. (default: 100)" placeholder:"PERCENT"`
	RewardToken      string             `help:"What holders are paid in: SOL, or the address of a mint. (default: SOL)" placeholder:"MINT"`
	MinimumHolding   *client.Amount     `help:"Base units that a holder must have to be paid. (default: 1)" placeholder:"N"`
	MinimumHolders   *client.Percent    `help:"Share of the tax that holders always get, percent. Can only be raised later. (default: 0)" placeholder:"PERCENT"`
	ChangeDelay      client.ChangeDelay `help:"Time until a change that lowers what holders get holds: none, 24h or 7d. Can only be raised later. (default: none)"`
	AdjustableTax    bool               `help:"Keep the right to change the tax."`
	Guardian         string             `help:"The key of the service's guardian: two of the distribution wallet, the guardian and you collect the tax. (default: the distribution wallet alone)" placeholder:"ADDRESS"`
	ImmutableDetails bool               `help:"Lock name, symbol and metadata permanently." name:"immutable-metadata"`
}

// orderFile is the content of the file.
type orderFile struct {
	client.TokenCreation

	Image string `json:"image"`
}

// order merges the file and the flags.
func (f orderFlags) order() (client.Order, error) {
	var file orderFile
	if f.File != "" {
		var err error
		if file, err = readOrder(f.File); err != nil {
			return client.Order{}, err
		}
	}
	t := &file.TokenCreation
	for _, text := range []struct{ flag, into *string }{
		{&f.Name, &t.Name},
		{&f.Symbol, &t.Symbol},
		{&f.Description, &t.Description},
		{&f.RewardToken, &t.RewardToken},
		{&f.Image, &file.Image},
	} {
		if *text.flag != "" {
			*text.into = *text.flag
		}
	}
	if err := f.links(t); err != nil {
		return client.Order{}, err
	}
	if f.Sell != nil && *f.Sell == (client.Percent{}) {
		return client.Order{}, usage("--sell: at least 1 percent")
	}
	if f.Interval != "" {
		t.DistributionInterval = f.Interval
	}
	if f.Basis != "" {
		t.RewardBasis = f.Basis
	}
	t.ChangeDelay = f.ChangeDelay
	for _, p := range []struct{ flag, into *client.Percent }{
		{f.Tax, &t.TransferFeePercent},
		{f.Burn, &t.BurnPercent},
		{f.DeveloperFee, &t.DeveloperFeePercent},
		{f.Sell, &t.PercentageToSellPerDistribution},
		{f.MinimumHolders, &t.MinimumHoldersPercent},
	} {
		if p.flag != nil {
			*p.into = *p.flag
		}
	}
	if f.DeveloperWallet != "" {
		var err error
		if t.DeveloperWallet, err = address("--developer-wallet", f.DeveloperWallet); err != nil {
			return client.Order{}, err
		}
	}
	if f.Guardian != "" {
		var err error
		if t.Guardian, err = address("--guardian", f.Guardian); err != nil {
			return client.Order{}, err
		}
	}
	if len(f.Split) > 0 {
		var err error
		if t.CreatorSplits, err = readSplits(f.Split); err != nil {
			return client.Order{}, err
		}
	}
	if f.MinimumHolding != nil {
		t.MinimumHoldingRequirement = f.MinimumHolding
	}
	t.TransferFeeAdjustable = t.TransferFeeAdjustable || f.AdjustableTax
	t.ImmutableMetadata = t.ImmutableMetadata || f.ImmutableDetails
	if err := f.supply(t); err != nil {
		return client.Order{}, err
	}
	if f.Tax == nil && f.File == "" {
		return client.Order{}, usage("--tax is missing: say how many percent, 0 for none")
	}
	return complete(file)
}

// links sets the links from the flags.
func (f orderFlags) links(t *client.TokenCreation) error {
	text, err := json.Marshal(f.Links)
	if err != nil {
		return fmt.Errorf("encode the links: %w", err)
	}
	if err := json.Unmarshal(text, t); err != nil {
		return fmt.Errorf("set the links: %w", err)
	}
	return nil
}

// supply sets the supply from base units or whole tokens. The default is 6 decimals.
func (f orderFlags) supply(t *client.TokenCreation) error {
	if f.Decimals != 0 {
		t.Decimals = f.Decimals
	}
	if t.Decimals == 0 {
		t.Decimals = 6
	}
	if f.Supply != nil {
		t.Supply = *f.Supply
	}
	if f.Tokens != "" {
		units, err := client.ParseDecimal(f.Tokens, t.Decimals)
		if err != nil {
			return usage("--tokens: %v", err)
		}
		t.Supply = client.BaseUnits(units)
	}
	return nil
}

// complete reads the picture, and returns an error that names missing fields.
func complete(file orderFile) (client.Order, error) {
	t := file.TokenCreation
	var missing []string
	for name, there := range map[string]bool{
		"--name": t.Name != "", "--symbol": t.Symbol != "", "--supply or --tokens": t.Supply.Uint64() > 0,
		"--image": file.Image != "" || t.ImageURI != "",
	} {
		if !there {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return client.Order{}, usage("missing: %s", list(missing))
	}
	o := client.Order{Token: t}
	if t.ImageURI == "" {
		var err error
		if o.Picture, err = os.ReadFile(file.Image); err != nil {
			return client.Order{}, usage("the image: %v", err)
		}
	}
	return o, nil
}

// readOrder reads a JSON or YAML file. The picture's path is relative to the file's directory.
func readOrder(path string) (orderFile, error) {
	content, err := os.ReadFile(path) // #nosec G304 -- the caller's own file
	if err != nil {
		return orderFile{}, usage("%v", err)
	}
	var tree map[string]any // YAML includes JSON
	if err := yaml.Unmarshal(content, &tree); err != nil {
		return orderFile{}, usage("%s is neither JSON nor YAML: %v", path, err)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return orderFile{}, usage("%s: %v", path, err)
	}
	var file orderFile
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return orderFile{}, usage("%s: %s", path, inWords(err))
	}
	if file.Image != "" && !filepath.IsAbs(file.Image) {
		file.Image = filepath.Join(filepath.Dir(path), file.Image)
	}
	return file, nil
}

// inWords returns the message of a JSON error: the field, and the valid type.
func inWords(err error) string {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		_, field, _ := strings.Cut("."+typ.Field, ".")
		switch kind := typ.Type.String(); {
		case strings.HasSuffix(kind, "Amount"), strings.HasSuffix(kind, "Lamports"):
			return fmt.Sprintf("%s: write the amount as a text in quotes, for numbers lose digits", field)
		default:
			return fmt.Sprintf("%s: not a %s", field, typ.Value)
		}
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func address(name, text string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return key, usage("%s: %q is not an address, which is base58 of 32 bytes", name, text)
	}
	return key, nil
}
