package images

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/bench/peak"
	"tokenlaunch.example/service/pkg/launch/image"
)

// Flag has bench answer as our side.
const Flag = "pictures"

// memoryLimit is what functions/images sets: 80 % of the function's 1,769 MB.
const memoryLimit = 1769 << 20 / 10 * 8

// sample is what a picture took, as both sides write it: microseconds on the wall and of
// the processor, the peak memory of the process so far in KiB, and the bytes of the result.
type sample struct {
	Wall  float64 `json:"wall"`
	CPU   float64 `json:"cpu"`
	Peak  int64   `json:"peak"`
	Bytes int     `json:"bytes"`
}

// Answer is our side in a process of its own, as infra/bench/node/images.mjs is the peer's:
// it reads names of files in the folder, one a line, and answers each with a line of JSON.
// The result is written to FOLDER/ours/NAME.jpg.
func Answer(folder string, in io.Reader, out io.Writer) error {
	debug.SetMemoryLimit(memoryLimit)
	names := bufio.NewScanner(in)
	answers := json.NewEncoder(out)
	for names.Scan() {
		file, err := os.ReadFile(filepath.Join(folder, names.Text())) // #nosec G304 -- what bench has written
		if err != nil {
			return err
		}
		before, began := usage(), time.Now()
		result, err := image.Process(file)
		wall := time.Since(began)
		if err != nil {
			return fmt.Errorf("%s: %w", names.Text(), err)
		}
		after := usage()
		if err := os.WriteFile(resultOf(folder, ours, names.Text()), result.JPEG, 0o600); err != nil {
			return err
		}
		if err := answers.Encode(sample{
			Wall: micros(wall), CPU: micros(cpuTime(after) - cpuTime(before)), Peak: peakOf(after), Bytes: len(result.JPEG),
		}); err != nil {
			return err
		}
	}
	return names.Err()
}

// peakOf is the most memory that this process had so far, in KiB.
func peakOf(u syscall.Rusage) int64 {
	if kib, err := peak.KiB(os.Getpid()); err == nil && kib > 0 {
		return kib
	}
	return u.Maxrss // not Linux
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func usage() (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for a wrong argument
	}
	return u
}

// cpuTime is what all threads of this process have used so far.
func cpuTime(u syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
