package walkthrough

import (
	"context"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

// maxAnswer bounds a file, in bytes.
const maxAnswer = 8 << 20

func (l *Launch) mint() solana.PublicKey { return l.Prepared.MintKeypair.PublicKey }

func (l *Launch) readAPI(ctx context.Context) error {
	token, err := l.Client.GetToken(ctx, l.mint())
	if err != nil {
		return err
	}
	mine, err := l.Client.ListMyTokens(ctx, client.Page{})
	if err != nil {
		return err
	}
	if len(mine.Tokens) == 0 || mine.Tokens[0].MintAddress != l.mint() {
		return fmt.Errorf("GET /tokens/me does not begin with %s", l.mint())
	}
	l.Submitted.Token = token
	err = same("the token", []pair{
		{"name", token.Name, l.Creation.Name},
		{"symbol", token.Symbol, l.Creation.Symbol},
		{"supply", token.Supply, l.Creation.Supply},
		{"decimals", token.Decimals, l.Creation.Decimals},
		{"creator", token.Creator, l.Wallet.PublicKey()},
		{"distribution wallet", token.DistributionWallet, l.Distribution},
		{"signature", token.Signature, l.Submitted.Signature},
	})
	if err != nil {
		return err
	}
	l.done("Read from the API", "%s (%s), status %s, tax %s %%", token.Name, token.Symbol, token.Status, token.TransferFeePercent)
	return nil
}

// mintAccount is a Token-2022 mint in the description of an RPC node ("jsonParsed").
type mintAccount struct {
	Owner string
	Data  struct {
		Parsed struct {
			Info struct {
				Decimals        int
				Supply          string
				MintAuthority   *string
				FreezeAuthority *string
				Extensions      []struct {
					Extension string
					State     json.RawMessage
				}
			}
		}
	}
}

func (m mintAccount) extension(name string, into any) error {
	for _, e := range m.Data.Parsed.Info.Extensions {
		if e.Extension == name {
			if err := json.Unmarshal(e.State, into); err != nil {
				return fmt.Errorf("read the mint's %s: %w", name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("the mint has no %s", name)
}

const token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" // #nosec G101 -- an address

func (l *Launch) readChain(ctx context.Context) error {
	parsed := map[string]string{"encoding": "jsonParsed", "commitment": "confirmed"}
	var account struct{ Value *mintAccount }
	if err := l.Chain.Call(ctx, &account, "getAccountInfo", l.mint(), parsed); err != nil {
		return fmt.Errorf("read the mint: %w", err)
	}
	if account.Value == nil {
		return fmt.Errorf("the chain has no account %s", l.mint())
	}
	mint := *account.Value
	var fee struct {
		NewerTransferFee struct{ TransferFeeBasisPoints uint16 }
	}
	var metadata struct{ Name, Symbol, URI string }
	if err := mint.extension("transferFeeConfig", &fee); err != nil {
		return err
	}
	if err := mint.extension("tokenMetadata", &metadata); err != nil {
		return err
	}
	held, err := l.held(ctx, parsed)
	if err != nil {
		return err
	}
	info := mint.Data.Parsed.Info
	bps, supply := fee.NewerTransferFee.TransferFeeBasisPoints, strconv.FormatUint(l.Creation.Supply.Uint64(), 10)
	err = same("the chain", []pair{
		{"program", mint.Owner, token2022Program},
		{"supply", info.Supply, supply},
		{"decimals", info.Decimals, l.Creation.Decimals},
		{"tax in basis points", client.BasisPoints(uint64(bps)), l.Submitted.Token.TransferFeePercent},
		{"name", metadata.Name, l.Creation.Name},
		{"symbol", metadata.Symbol, l.Creation.Symbol},
		{"metadata URI", metadata.URI, l.Prepared.MetadataURI},
		{"creator's balance", held, supply},
		{"mint authority", info.MintAuthority == nil, true},
	})
	if err != nil {
		return err
	}
	l.done("Read from the chain", "supply %s, all held by the creator, tax %d basis points, no mint authority", info.Supply, bps)
	return nil
}

// held returns the creator's balance of the token, in base units.
func (l *Launch) held(ctx context.Context, parsed map[string]string) (string, error) {
	var accounts struct {
		Value []struct {
			Account struct {
				Data struct {
					Parsed struct {
						Info struct{ TokenAmount struct{ Amount string } }
					}
				}
			}
		}
	}
	err := l.Chain.Call(ctx, &accounts, "getTokenAccountsByOwner", l.Wallet.Address(), map[string]string{"mint": l.mint().String()}, parsed)
	if err != nil {
		return "", fmt.Errorf("read the creator's balance: %w", err)
	}
	if len(accounts.Value) != 1 {
		return "", fmt.Errorf("the creator has %d accounts of the token, not one", len(accounts.Value))
	}
	return accounts.Value[0].Account.Data.Parsed.Info.TokenAmount.Amount, nil
}

// readFiles fetches the files of the token: the image, like any visitor.
func (l *Launch) readFiles(ctx context.Context) error {
	address := l.Submitted.Token.ImageURL
	if !onThisMachine(address) {
		l.done("Read from IPFS", "not tried: a public gateway may need minutes to find %s", l.Image.ImageURI)
		return nil
	}
	picture, err := fetch(ctx, address)
	if err != nil {
		return err
	}
	size, err := jpeg.DecodeConfig(strings.NewReader(string(picture)))
	if err != nil {
		return fmt.Errorf("read the image at %s: %w", address, err)
	}
	gateway, _, found := strings.Cut(address, "/ipfs/")
	if !found {
		return fmt.Errorf("the image's address %s is not one of an IPFS gateway", address)
	}
	text, err := fetch(ctx, gateway+"/ipfs/"+path.Base(l.Prepared.MetadataURI))
	if err != nil {
		return err
	}
	var metadata struct{ Name, Symbol, Image string }
	if err := json.Unmarshal(text, &metadata); err != nil {
		return fmt.Errorf("read the metadata: %w", err)
	}
	err = same("the metadata", []pair{
		{"name", metadata.Name, l.Creation.Name},
		{"symbol", metadata.Symbol, l.Creation.Symbol},
		{"image", metadata.Image, "https://ipfs.io/ipfs/" + l.Image.ImageCID},
		{"image's width", size.Width, l.Image.Width},
	})
	if err != nil {
		return err
	}
	l.done("Read from IPFS", "%s, %dx%d JPEG, and the metadata of %s", address, size.Width, size.Height, metadata.Name)
	return nil
}

func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func fetch(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", address, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", address, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch %s: %s", address, response.Status)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", address, err)
	}
	return content, nil
}

// pair is a value that was read, and the expected value.
type pair struct {
	what      string
	got, want any
}

func same(where string, pairs []pair) error {
	for _, p := range pairs {
		if p.got != p.want {
			return fmt.Errorf("%s has %s %v, not %v", where, p.what, p.got, p.want)
		}
	}
	return nil
}
