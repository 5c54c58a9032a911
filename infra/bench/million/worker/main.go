// Command worker does one part of a distribution's planning in a process of its own, so
// that its time and its memory at the peak are that part's alone. It writes what it took
// as JSON. The command bench starts it.
//
//	worker [-profile FILE] answer|decode|snapshot|plan|close FOLDER HOLDERS
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/bench/peak"
)

// Lap is a part of the work.
type Lap struct {
	Name      string
	CPU, Wall time.Duration
}

// Result is what a part of the work took, and what came out of it.
type Result struct {
	Laps []Lap
	// Facts are figures of the outcome, to be compared or shown.
	Facts map[string]uint64
	// PeakKiB is the memory of the process at its peak.
	PeakKiB int64
}

// watch takes the time of laps.
type watch struct {
	result Result
	cpu    time.Duration
	wall   time.Time
}

func newWatch() *watch {
	return &watch{result: Result{Facts: map[string]uint64{}}, cpu: used(), wall: time.Now()}
}

// lap ends a part.
func (w *watch) lap(name string) {
	cpu, wall := used(), time.Now()
	w.result.Laps = append(w.result.Laps, Lap{name, cpu - w.cpu, wall.Sub(w.wall)})
	w.cpu, w.wall = cpu, wall
}

// used is the processor time of the process, in the kernel too.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // Only for a wrong argument.
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func main() {
	profile := flag.String("profile", "", "write a profile of the processor's time to this file")
	flag.Parse()
	result, err := work(*profile, flag.Args())
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

func work(profile string, arguments []string) (Result, error) {
	const wanted = 3
	if len(arguments) != wanted {
		return Result{}, fmt.Errorf("%d arguments, want what to do, the folder and the number of holders", len(arguments))
	}
	holders, err := strconv.Atoi(arguments[2])
	if err != nil {
		return Result{}, fmt.Errorf("the number of holders: %w", err)
	}
	part, known := map[string]func(context.Context, *watch, desk) error{
		"answer": writeAnswer, "decode": decode, "snapshot": takeSnapshot, "plan": plan, "close": closeBooks,
	}[arguments[0]]
	if !known {
		return Result{}, fmt.Errorf("nobody knows how to %q", arguments[0])
	}
	if profile != "" {
		file, err := os.Create(filepath.Clean(profile))
		if err != nil {
			return Result{}, err
		}
		defer func() { _ = file.Close() }()
		if err := pprof.StartCPUProfile(file); err != nil {
			return Result{}, err
		}
		defer pprof.StopCPUProfile()
	}
	w := newWatch()
	if err = part(context.Background(), w, desk{folder: arguments[1], holders: holders}); err == nil {
		w.result.PeakKiB, err = peak.KiB(os.Getpid())
	}
	return w.result, err
}
