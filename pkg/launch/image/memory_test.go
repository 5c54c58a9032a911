package image_test

import (
	stdimage "image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/testkit/figures"
)

// The function that takes images has this much memory (infra/stack), and leaves
// the Go runtime 80 % of it (functions/images).
const (
	functionMiB = 1769
	limitBytes  = functionMiB << 20 / 10 * 8
)

// worstSide squared is just under image.MaxPixels.
const worstSide = 6320

// worstCases are the files that take most memory to decode: whole images of the maximum number of
// pixels, and a file whose header alone makes the decoder allocate.
var worstCases = map[string]func(t *testing.T) []byte{
	"16-bit-transparent.png": func(t *testing.T) []byte {
		return encodePNG(t, stdimage.NewNRGBA64(stdimage.Rect(0, 0, worstSide, worstSide)))
	},
	"16-bit-transparent-in-ProPhoto.png": func(t *testing.T) []byte {
		return withICCP(encodePNG(t, stdimage.NewNRGBA64(stdimage.Rect(0, 0, worstSide, worstSide))), profiles["ProPhoto, v4"])
	},
	"progressive-444-cut-off.jpg": func(t *testing.T) []byte {
		return jpegSize(corpus(t)["progressive.jpg"], worstSide, worstSide)
	},
	"most-scans.jpg": func(*testing.T) []byte { return scanBomb(worstSide, 24) },
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The worst files, one after the other, in a separate process with the function's limit: the memory
// that the runtime has taken from the system at the end is the peak, and fits. The process is built
// without the race detector, which is many times slower and takes memory itself.
func TestPeakMemoryFitsTheFunction(t *testing.T) {
	const writeTo, readFrom = "IMAGE_WRITE_WORST", "IMAGE_READ_WORST"
	if folder := os.Getenv(writeTo); folder != "" {
		write(t, folder)
		return
	}
	if folder := os.Getenv(readFrom); folder != "" {
		debug.SetMemoryLimit(limitBytes)
		for name := range worstCases {
			_, _ = image.Process(read(t, filepath.Join(folder, name))) // whether it is taken is for other tests
		}
		var taken runtime.MemStats
		runtime.ReadMemStats(&taken)
		t.Logf("peak=%d", taken.Sys)
		return
	}
	if testing.Short() {
		t.Skip("decodes 40-megapixel pictures, which short mode leaves out")
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "image.test")
	run(t, "", "go", "test", "-c", "-o", binary, ".")
	run(t, writeTo+"="+folder, binary, "-test.run=^"+t.Name()+"$")
	out := run(t, readFrom+"="+folder, binary, "-test.run=^"+t.Name()+"$", "-test.v")
	_, after, _ := strings.Cut(out, "peak=")
	digits, _, _ := strings.Cut(after, "\n")
	peak, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 64)
	if err != nil {
		t.Fatalf("no peak in\n%s", out)
	}
	figures.Show(t, "images: peak memory of the worst 40-megapixel files, one after the other: %d MiB of %d", peak>>20, functionMiB)
	if peak > functionMiB<<20 {
		t.Errorf("the peak is %d MiB, more than the function's %d", peak>>20, functionMiB)
	}
}

func write(t *testing.T, folder string) {
	t.Helper()
	for name, encode := range worstCases {
		file := encode(t)
		if len(file) > image.MaxFileBytes {
			t.Fatalf("%s has %d bytes and would not be decoded at all", name, len(file))
		}
		if err := os.WriteFile(filepath.Join(folder, name), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a command with one more environment variable and returns its output.
func run(t *testing.T, environment, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Env = append(os.Environ(), environment)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
