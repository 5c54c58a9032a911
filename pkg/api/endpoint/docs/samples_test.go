package docs_test

import (
	"os/exec"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

func samples(t *testing.T, lang string) map[string]string {
	t.Helper()
	out, err := docstest.Samples(lang)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryOperationHasSamples tests that the document and the page have samples in three
// languages. The end-to-end tests run the Shell and Go samples, and the TypeScript package's tests
// compile the TypeScript samples.
func TestEveryOperationHasSamples(t *testing.T) {
	page := get(t, start(t, nil), "/docs").Body.String()
	for _, lang := range []string{"Shell", "TypeScript", "Go"} {
		of := samples(t, lang)
		for _, r := range route.All() {
			if of[r.Operation] == "" {
				t.Errorf("%s has no sample in %s", r.Operation, lang)
			}
			label := strings.Replace(lang, "Shell", "curl", 1)
			if !strings.Contains(page, `<details class="code" name="call-`+r.Operation+`"`) || !strings.Contains(page, "<summary>"+label+"</summary>") {
				t.Errorf("%s is not shown in %s", r.Operation, label)
			}
		}
	}
}

// TestGoSamplesCompile also checks that they call the client wherever the response is JSON.
func TestGoSamplesCompile(t *testing.T) {
	all := samples(t, "Go")
	for id, op := range operations(load(t)) {
		success := op.Responses.Value("200")
		if success == nil {
			success = op.Responses.Value("202")
		}
		if _, json := success.Value.Content["application/json"]; json != strings.Contains(all[id], "client.New(") {
			t.Errorf("%s: the response is JSON: %v; the sample is\n%s", id, json, all[id])
		}
	}
	files, err := docstest.WriteProgram(t.TempDir(), all)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", append([]string{"vet"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}
