package dex

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
)

// Files of the programs.
const (
	raydiumFile = "raydium_cp_swap.so"
	meteoraFile = "cp_amm.so"
	// lockerFile may be missing. In this case tests that need the file are skipped.
	lockerFile = "locker.so"
)

// programs are the files of the programs that every directory has.
var programs = map[string]string{RaydiumProgram: raydiumFile, MeteoraProgram: meteoraFile}

// accounts are Raydium's accounts. A file contains the account's bytes. If the file's name ends in
// .json, the file contains the output of `solana account --output json`.
var accounts = []account{
	{
		address: RaydiumConfig, owner: RaydiumProgram, length: 236,
		names: []string{"raydium-amm-config", "raydium-amm-config.json", RaydiumConfig + ".json"},
	},
	{
		address: RaydiumFeeReceiver, owner: localchain.TokenProgram, length: 165,
		names: []string{"raydium-create-pool-fee-receive", "raydium-create-pool-fee-receive.json", RaydiumFeeReceiver + ".json"},
	},
}

// Files lists the required files of the directory. Only one of several names of a file is required.
func Files() [][]string {
	all := [][]string{{raydiumFile}, {meteoraFile}}
	for _, a := range accounts {
		all = append(all, slices.Clone(a.names))
	}
	return all
}

// missingFiles lists the missing files of a directory, by their first names.
func missingFiles(folder string) []string {
	var missing []string
	for _, names := range Files() {
		if !slices.ContainsFunc(names, func(name string) bool {
			_, err := os.Stat(filepath.Join(folder, name))
			return err == nil
		}) {
			missing = append(missing, names[0])
		}
	}
	return missing
}

// read returns the account's data from the first existing file.
func (a account) read(folder string) ([]byte, error) {
	for _, name := range a.names {
		file := filepath.Join(folder, name)
		content, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil && strings.HasSuffix(name, ".json") {
			content, err = accountOf(content)
		}
		if err == nil && len(content) != a.length {
			err = fmt.Errorf("it has %d bytes and should have %d", len(content), a.length)
		}
		if err != nil {
			return nil, fmt.Errorf("read the account %s out of %s: %w", a.address, file, err)
		}
		return content, nil
	}
	return nil, fmt.Errorf("there is no file of the account %s in %s", a.address, folder)
}

// accountOf parses the output of `solana account --output json`: {"account": {"data": [base64,
// "base64"]}}.
func accountOf(content []byte) ([]byte, error) {
	var printed struct {
		Account struct {
			Data []string `json:"data"`
		} `json:"account"`
	}
	if err := json.Unmarshal(content, &printed); err != nil {
		return nil, err
	}
	if data := printed.Account.Data; len(data) != 2 || data[1] != "base64" {
		return nil, errors.New("its data is not in base64")
	}
	return base64.StdEncoding.DecodeString(printed.Account.Data[0])
}
