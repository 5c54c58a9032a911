package docstest

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
)

// Samples returns the document's samples in a language, Shell, TypeScript or Go, by operation.
func Samples(lang string) (map[string]string, error) {
	var document struct {
		Paths map[string]map[string]struct {
			ID      string                          `json:"operationId"`
			Samples []struct{ Lang, Source string } `json:"x-codeSamples"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(docs.Document(), &document); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	out := map[string]string{}
	for _, path := range document.Paths {
		for _, operation := range path {
			for _, s := range operation.Samples {
				if s.Lang == lang {
					out[operation.ID] = s.Source
				}
			}
		}
	}
	return out, nil
}

// WriteProgram writes samples in Go into a directory, as the files of a single program. The program
// runs the sample of the operation in its first argument. So a single link step suffices for all
// samples.
func WriteProgram(folder string, samples map[string]string) ([]string, error) {
	choice := "package main\n\nimport \"os\"\n\nfunc main() {\nswitch os.Args[1] {\n"
	files := map[string]string{}
	for operation, source := range samples {
		files[operation] = strings.Replace(source, "func main()", "func "+operation+"()", 1)
		choice += fmt.Sprintf("case %q:\n%s()\n", operation, operation)
	}
	main, err := format.Source([]byte(choice + "}\n}\n"))
	if err != nil {
		return nil, fmt.Errorf("write the program: %w", err)
	}
	files["main"] = string(main)
	var names []string
	for name, source := range files {
		file := filepath.Join(folder, name+".go")
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			return nil, err
		}
		names = append(names, file)
	}
	return names, nil
}
