package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// packageLock is a lock file of npm, as far as it is read.
type packageLock struct {
	// Packages by their places, such as node_modules/a/node_modules/b.
	Packages map[string]struct {
		Version   string `json:"version"`
		License   string `json:"license"`
		Integrity string `json:"integrity"`
		// What builds and tests has one of these, and is in nothing that we ship.
		Dev      bool `json:"dev"`
		Optional bool `json:"devOptional"`
	} `json:"packages"`
}

// ofPackageLock lists what a lock file of npm pins, for every platform.
func ofPackageLock(name string, text []byte) (bom, error) {
	var lock packageLock
	if err := json.Unmarshal(text, &lock); err != nil {
		return bom{}, err
	}
	b := newBOM(component{Type: "application", Name: name})
	for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
		module, found := moduleAt(place)
		if p := lock.Packages[place]; found {
			c := ofNPM(module, p.Version)
			if p.License != "" {
				c.Properties = []property{{"npm:license", p.License}}
			}
			b.Components = append(b.Components, c)
		}
	}
	return b, nil
}

// ofPage lists what can be linked into the page: the packages that it needs when it runs,
// as they are installed in its folder; and what is wrong with their licences.
func ofPage(folder string) (bom, []error, error) {
	text, err := os.ReadFile(filepath.Join(folder, "package-lock.json")) // #nosec G304 -- the project's own file
	if err != nil {
		return bom{}, nil, err
	}
	var lock packageLock
	if err := json.Unmarshal(text, &lock); err != nil {
		return bom{}, nil, err
	}
	b := newBOM(component{Type: "application", Name: "page"})
	var bad []error
	for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
		module, found := moduleAt(place)
		p := lock.Packages[place]
		if !found || p.Dev || p.Optional {
			continue
		}
		ids, err := licenses(module, filepath.Join(folder, filepath.FromSlash(place)))
		if err != nil {
			bad = append(bad, fmt.Errorf("%s@%s: %w", module, p.Version, err))
		}
		c := ofNPM(module, p.Version)
		c.Licenses, c.Properties = licensed(ids), []property{{"npm:integrity", p.Integrity}}
		b.Components = append(b.Components, c)
	}
	return b, bad, nil
}

func ofNPM(module, version string) component {
	return component{Type: "library", Name: module, Version: version, PURL: "pkg:npm/" + strings.Replace(module, "@", "%40", 1) + "@" + version}
}

// moduleAt gives the package at a place; there is none at that of the project itself.
func moduleAt(place string) (module string, found bool) {
	const separator = "node_modules/"
	i := strings.LastIndex(place, separator)
	if i < 0 {
		return "", false
	}
	return place[i+len(separator):], true
}
