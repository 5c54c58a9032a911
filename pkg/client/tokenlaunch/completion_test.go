package main_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCompletion tests that the offered words are the grammar's next words.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"cur":                             "curve",
		"curve b":                         "buy",
		"curve ":                          "create show list price buy sell cancel",
		"curve buy MINT --am":             "--amount",
		"--api http://l curve buy M --le": "--least",
		"--api curve":                     "",
		"--json tokens --sort ":           "volume paid",
		"tokens --sort = v":               "volume",
		"launch --basis ":                 "snapshot held",
		"settings set M --interval 1":     "10m 15m 1h 12h",
		"completion ":                     "bash zsh fish",
		"compl":                           "completion", // complete is hidden
		"launch --image ":                 "",           // the shell completes files
		"launch --image x --sy":           "--symbol",
		"nonsense ":                       strings.Join(strings.Fields(say(t, "", "complete").out), " "),
	} {
		got := say(t, "", append([]string{"complete", "--"}, strings.Split(words, " ")...)...)
		if list := strings.Join(strings.Fields(got.out), " "); got.code != 0 || list != want {
			t.Errorf("%q: %q, want %q; %+v", words, list, want, got)
		}
	}
	if got := say(t, "", "completion", "csh"); got.code != 2 || !strings.Contains(got.errs, "bash") {
		t.Errorf("an unknown shell: %+v", got)
	}
}

// TestCompletionScripts tests that each installed shell parses its script, and that bash completes
// with the command's words.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := say(t, "", "completion", shell)
		if script.code != 0 || !strings.Contains(script.out, "complete -- ") {
			t.Errorf("completion %s = %+v, want a script", shell, script)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), path, "-n", "-c", script.out).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v: %s", shell, err, out)
		}
	}
	const asks = `
tokenlaunch() { printf '%s\n' "$@"; }
COMP_WORDS=(tokenlaunch curve b) COMP_CWORD=2
_tokenlaunch
echo "${COMPREPLY[@]}"`
	out, err := exec.CommandContext(t.Context(), "bash", "-c", say(t, "", "completion", "bash").out+asks).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "complete -- curve b" {
		t.Errorf("bash requests %q, %v", out, err)
	}
}

// TestHelpOfCommands tests that --help shows the defaults, and which flags of a group are required.
func TestHelpOfCommands(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"":            "Usage: tokenlaunch <command>",
		"curve buy":   "Usage: tokenlaunch curve buy (--amount=N | --lamports=N) --rpc=URL <mint> [flags]",
		"curve price": "Usage: tokenlaunch curve price (--amount=N | --lamports=N) <mint>",
		"launch":      "(default: 0.1)",
		"lock":        "(default: 1)",
	} {
		got := say(t, "", append([]string{"help"}, strings.Fields(words)...)...)
		flat := strings.Join(strings.Fields(got.out), " ")
		if got.code != 0 || !strings.Contains(flat, want) {
			t.Errorf("help %s: %+v, want %s", words, got, want)
		}
		if same := say(t, "", append(strings.Fields(words), "--help")...); same.out != got.out {
			t.Errorf("%s --help is not help %s:\n%s", words, words, same.out)
		}
	}
	if got := say(t, "", "help", "nonsense"); got.code != 2 || !strings.Contains(got.errs, "nonsense") {
		t.Errorf("help nonsense: %+v", got)
	}
}
