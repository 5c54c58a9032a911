package image_test

import (
	"bytes"
	stdimage "image"
	"image/jpeg"
	"syscall"
	"testing"

	"tokenlaunch.example/service/pkg/launch/image"
)

// rough is a picture of soft shapes with grain, which packs as photographs do.
func rough(width, height int, grain uint32) *stdimage.RGBA {
	out := stdimage.NewRGBA(stdimage.Rect(0, 0, width, height))
	random := uint32(1)
	for i := range out.Pix {
		random = random*1664525 + 1013904223
		x, y := i/4%width, i/4/width
		out.Pix[i] = byte(60 + (x*x/800+y*(i%4+1)/9)%120 + int(random>>16%grain))
		if i%4 == 3 {
			out.Pix[i] = 0xff
		}
	}
	return out
}

// BenchmarkProcess makes stored pictures of files near the largest that are taken, and of
// smaller ones. cpu-ms is the processor time of all threads.
func BenchmarkProcess(b *testing.B) {
	for _, c := range []struct {
		name string
		file []byte
	}{
		{"JPEG", encodeJPEG(b, rough(2000, 1500, 20), 88)},
		{"JPEG-P3", withAPP2(encodeJPEG(b, rough(2000, 1500, 20), 88), parts(profiles["Display P3, v4"], 60_000)...)},
		{"JPEG-12MP", encodeJPEG(b, rough(4000, 3000, 8), 34)},
		{"PNG", encodePNG(b, rough(860, 640, 8))},
		{"PNG-640", encodePNG(b, rough(640, 640, 2))},
		{"PNG-4MP", encodePNG(b, pattern(stdimage.Pt(2000, 2000)))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.file)))
			before := cpuMillis(b)
			for b.Loop() {
				if _, err := image.Process(c.file); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpuMillis(b)-before)/float64(b.N), "cpu-ms/op")
		})
	}
}

func encodeJPEG(b testing.TB, picture stdimage.Image, quality int) []byte {
	b.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality}); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func cpuMillis(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}
