package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

const mit = `MIT License

Copyright (c) 2026 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

const gpl = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.

This program is distributed in the hope that it will be useful,
but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
GNU General Public License for more details.
`

func TestLicensesOfModules(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       string // of the licence, or of the error
	}{
		"MIT":                {"LICENSE", mit, "MIT"},
		"a British one":      {"licence.md", mit, "MIT"},
		"GPL":                {"COPYING", gpl, "is under GPL"},
		"MIT and GPL":        {"LICENSE", mit + gpl, "is under GPL"},
		"words of their own": {"LICENSE.txt", "You may not use this.", "no licence that is known"},
		"none":               {"README.md", mit, "it has no licence"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		ids, err := licenses("example.com/m", folder)
		got := strings.Join(ids, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, err := licenses("example.com/m", ""); err == nil {
		t.Error("a module that is not there has a licence")
	}
}

// Whatever is linked into a binary is in its bill, also what has a bad licence.
func TestEveryModuleIsListed(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "LICENSE"), []byte(mit), 0o600); err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.0.0", Sum: "h1:x"},
		{Path: "example.com/b", Version: "v2.0.0"},
		{Path: "example.com/c", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/d", Version: "v1.5.0"}},
	}}
	seen := map[string]string{}
	for range 2 { // two functions with the same modules
		b, bad := ofBinary("x", info, map[string]string{"example.com/a@v1.0.0": folder, "example.com/d@v1.5.0": folder}, seen)
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"pkg:golang/std@1.26.8", "pkg:golang/example.com/a@v1.0.0", "h1:x", "pkg:golang/example.com/b@v2.0.0", "pkg:golang/example.com/d@v1.5.0"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s is not in %s", want, text)
			}
		}
		if len(b.Components) != 4 || len(seen) != 3 || len(bad) > 1 {
			t.Errorf("%d components, %d modules, %v", len(b.Components), len(seen), bad)
		}
	}
}

func TestPackageLocks(t *testing.T) {
	b, err := ofPackageLock("npm-x", []byte(`{"packages":{"":{},"node_modules/@a/b":{"version":"1.0.0","license":"MIT"},"node_modules/c/node_modules/d":{"version":"2.0.0"}}}`))
	if err != nil || len(b.Components) != 2 || b.Components[0].PURL != "pkg:npm/%40a/b@1.0.0" || b.Components[1].PURL != "pkg:npm/d@2.0.0" {
		t.Errorf("%+v, %v", b.Components, err)
	}
}

// The page's bill has what is linked into it, with the licence that is installed with it,
// and nothing that only builds it.
func TestThePageIsListed(t *testing.T) {
	folder := t.TempDir()
	for file, text := range map[string]string{
		"package-lock.json":               `{"packages":{"":{},"node_modules/a":{"version":"1.0.0","integrity":"sha512-x"},"node_modules/b":{"version":"2.0.0"},"node_modules/c":{"version":"3.0.0","dev":true}}}`,
		"node_modules/a/LICENSE":          mit,
		"node_modules/b/LICENSE":          gpl,
		"node_modules/c/LICENSE":          gpl,
		"node_modules/a/not-a-licence.md": "words",
	} {
		full := filepath.Join(folder, filepath.FromSlash(file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o700), os.WriteFile(full, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	b, bad, err := ofPage(folder)
	if err != nil || len(b.Components) != 2 || b.Components[0].Licenses[0].License.ID != "MIT" || b.Components[0].Properties[0].Value != "sha512-x" {
		t.Errorf("%+v, %v", b.Components, err)
	}
	if len(bad) != 1 || !strings.HasPrefix(bad[0].Error(), "b@2.0.0: LICENSE is under GPL") {
		t.Errorf("problems are %v", bad)
	}
}
