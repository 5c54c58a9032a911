package inflate_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"

	"tokenlaunch.example/service/pkg/inflate"
)

// plains are what packs in each way: into literals, short and long matches, near and far,
// and not at all.
func plains() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise, few, rough, runs := make([]byte, 300_000), make([]byte, 200_000), make([]byte, 300_000), []byte{}
	for i := range noise {
		noise[i] = byte(random.Uint32())
		rough[i] = byte(128 + random.NormFloat64()*12)
	}
	for i := range few {
		few[i] = byte(random.ExpFloat64() * 3)
	}
	for len(runs) < 200_000 {
		period := 1 + random.IntN(20)
		runs = append(runs, bytes.Repeat(noise[len(runs)%1000:][:period], 1+random.IntN(60))...)
	}
	far := append(bytes.Clone(noise[:32768]), noise[:32768]...)
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "noise": noise, "few": few, "rough": rough, "runs": runs, "far": far,
		"zeros": make([]byte, 400_000), "text": bytes.Repeat([]byte("the quick brown fox; "), 9999), "short": []byte("abcabcabcabc"),
	}
}

func pack(t testing.TB, plain []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(stream ...[]byte) ([]byte, int, error) {
	r, err := inflate.NewReader(stream...)
	if err != nil {
		return nil, 0, err
	}
	plain, err := io.ReadAll(r)
	return plain, r.Left(), err
}

func standard(stream []byte) (plain []byte, left int, err error) {
	from := bytes.NewReader(stream)
	r, err := zlib.NewReader(from)
	if err != nil {
		return nil, 0, err
	}
	plain, err = io.ReadAll(r)
	return plain, from.Len(), err
}

func TestWhatWasPacked(t *testing.T) {
	for name, plain := range plains() {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			stream := pack(t, plain, level)
			got, left, err := unpack(stream[:len(stream)/3], nil, stream[len(stream)/3:], []byte("more"))
			if err != nil || left != 4 || !bytes.Equal(got, plain) {
				t.Errorf("%s at level %d: %d of %d bytes, %d left, %v", name, level, len(got), len(plain), left, err)
			}
		}
	}
}

// Any length that is read at once gives the same.
func TestReadingInPieces(t *testing.T) {
	plain := plains()["runs"]
	for _, piece := range []int{1, 7, 100, 40_000, 65_536, 300_000} {
		r, err := inflate.NewReader(pack(t, plain, 6))
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		p := make([]byte, piece)
		for err == nil {
			var n int
			n, err = r.Read(p)
			got = append(got, p[:n]...)
		}
		if !errors.Is(err, io.EOF) || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes at once: %v", piece, err)
		}
	}
}

// same fails unless both take a stream for the same, or both refuse it.
func same(t *testing.T, stream []byte) (taken bool) {
	t.Helper()
	want, left, wrong := standard(stream)
	got, gotLeft, err := unpack(stream)
	if (wrong == nil) != (err == nil) {
		t.Fatalf("%d bytes: %v, and compress/zlib says %v", len(stream), err, wrong)
	}
	if err == nil && (!bytes.Equal(got, want) || left != gotLeft) {
		t.Fatalf("%d bytes: other data than compress/zlib's, or %d bytes left, not %d", len(stream), gotLeft, left)
	}
	return err == nil
}

func TestDamagedStreams(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, plain := range plains() {
		plain = plain[:min(len(plain), 3000)]
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 9} {
			stream := pack(t, plain, level)
			for range 300 {
				damaged := bytes.Clone(stream)
				// Most often in front, where the tables are.
				at := random.IntN(1 + random.IntN(len(damaged)))
				damaged[at] ^= 1 << random.IntN(8)
				same(t, damaged)
			}
			for length := 0; length < len(stream); length += 1 + len(stream)/100 {
				if same(t, stream[:length]) {
					t.Errorf("%s: the first %d bytes of %d pass", name, length, len(stream))
				}
			}
		}
	}
}

func TestChecksum(t *testing.T) {
	for name, plain := range plains() {
		if got, want := inflate.Adler(inflate.Adler(1, plain[:len(plain)/3]), plain[len(plain)/3:]), adler32.Checksum(plain); got != want {
			t.Errorf("%s: %08x, not %08x", name, got, want)
		}
	}
	highest := bytes.Repeat([]byte{0xff}, 1<<17)
	if got, want := inflate.Adler(1, highest), adler32.Checksum(highest); got != want {
		t.Errorf("the highest bytes: %08x, not %08x", got, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, plain := range plains() {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 9} {
			f.Add(pack(f, plain[:min(len(plain), 500)], level), false)
			f.Add(plain[:min(len(plain), 500)], true)
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte, packIt bool) {
		if packIt {
			stream = pack(t, stream, len(stream)%12-2)
		}
		if len(stream) > 1<<14 {
			return
		}
		same(t, stream)
	})
}

func BenchmarkRead(b *testing.B) {
	for name, plain := range plains() {
		stream := pack(b, plain, 6)
		for side, unpack := range map[string]func() (io.Reader, error){
			"ours":          func() (io.Reader, error) { return inflate.NewReader(stream) },
			"compress-zlib": func() (io.Reader, error) { return zlib.NewReader(bytes.NewReader(stream)) },
		} {
			b.Run(name+"/"+side, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(plain)))
				for b.Loop() {
					r, err := unpack()
					if err != nil {
						b.Fatal(err)
					}
					if _, err := io.Copy(io.Discard, r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
