// Command artifacts checks what `sam build` made: one static binary for Linux on the
// given architecture for every function of the project, and nothing beside it.
package main

import (
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// machines are ELF's names of the architectures, by Go's.
var machines = map[string]elf.Machine{"arm64": elf.EM_AARCH64, "amd64": elf.EM_X86_64}

func main() {
	arch := flag.String("arch", "arm64", "architecture of the functions, as Go names it")
	flag.Parse()
	names, err := check(flag.Arg(0), "../functions", *arch)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sam build:", err)
		os.Exit(1)
	}
	fmt.Printf("sam build: %d functions for %s\n", len(names), *arch)
}

// check gives the functions that the folder holds.
func check(built, functions, arch string) ([]string, error) {
	machine, known := machines[arch]
	if !known {
		return nil, fmt.Errorf("the architecture is %q: it must be arm64 or amd64", arch)
	}
	want, err := names(functions, "main.go", func(name string) string { return name })
	if err != nil {
		return nil, err
	}
	have, err := names(built, "bootstrap", func(name string) string { return strings.ToLower(strings.TrimSuffix(name, "Function")) })
	if err != nil {
		return nil, err
	}
	if !slices.Equal(have, want) {
		return nil, fmt.Errorf("%s holds %v, want %v", built, have, want)
	}
	binaries, err := filepath.Glob(filepath.Join(built, "*", "*"))
	if err != nil {
		return nil, err
	}
	var wrong []error
	for _, file := range binaries {
		if err := checkBinary(file, machine); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", file, err))
		}
	}
	return have, errors.Join(wrong...)
}

// names lists the folders that have the file, by what name makes of theirs.
func names(folder, file string, name func(string) string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", file))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, f := range files {
		all = append(all, name(filepath.Base(filepath.Dir(f))))
	}
	slices.Sort(all)
	return all, nil
}

func checkBinary(file string, machine elf.Machine) error {
	if filepath.Base(file) != "bootstrap" {
		return errors.New("it does not belong here")
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Mode()&0o111 == 0 {
		return errors.New("it cannot be executed")
	}
	binary, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("it is no binary for Linux: %w", err)
	}
	defer func() { _ = binary.Close() }() // opened for reading
	libraries, err := binary.ImportedLibraries()
	switch {
	case err != nil:
		return err
	case binary.Machine != machine:
		return fmt.Errorf("it is for %v, want %v", binary.Machine, machine)
	case len(libraries) > 0:
		return fmt.Errorf("it needs %v, which Lambda may lack", libraries)
	}
	return nil
}
