package card_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/web/card"
	"tokenlaunch.example/service/pkg/web/page"
)

const address = "93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp"

func record(name, symbol string) token.Record {
	return token.Record{
		Mint: solana.MustPublicKeyFromBase58(address), Name: name, Symbol: symbol, TransferFeeBps: 250,
		Settings: terms.Settings{RewardToken: "SOL", Enabled: true, Interval: terms.Every30Minutes},
	}
}

// picture is a JPEG with no two neighbours alike.
func picture(t testing.TB, width, height int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i >> 5)
	}
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, color.RGBA{byte(x), byte(y), byte(x * y), 0xff})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func render(t testing.TB, c card.Card, picture []byte) image.Image {
	t.Helper()
	content, err := c.PNG(picture)
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("CARDS"); folder != "" { // to look at
		if err := os.WriteFile(folder+"/"+strings.ReplaceAll(t.Name(), "/", "-")+".png", content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounds() != image.Rect(0, 0, 1200, 630) {
		t.Fatalf("bounds %v", m.Bounds())
	}
	return m
}

// written reports whether there is anything but paper in an area.
func written(m image.Image, area image.Rectangle) bool {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, g, b, _ := m.At(x, y).RGBA(); r < 0xf000 || g < 0xf000 || b < 0xf000 {
				return true
			}
		}
	}
	return false
}

func TestTextStaysInBounds(t *testing.T) {
	long := record(strings.Repeat("Wide Wombat ", 10), strings.Repeat("W", 40))
	long.Settings.RewardToken, long.FeeAdjustable = address, true
	for name, r := range map[string]token.Record{
		"usual": record("Paper Crane", "CRANE"), "long": long, "oneword": record(strings.Repeat("W", 80), "W"),
		"short": record("X", "X"), "accents": record("Žluťoučký kůň", "ŽLUŤ"), "greek": record("Ωμέγα", "ΩΜΓ"),
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range [][]byte{picture(t, 512, 512), nil} {
				m := render(t, card.New(r), file)
				if !written(m, image.Rect(621, 60, 1141, 130)) || !written(m, image.Rect(59, 585, 700, 620)) {
					t.Error("the name or the address is missing")
				}
				for _, margin := range []image.Rectangle{
					image.Rect(0, 15, 58, 630), image.Rect(572, 15, 620, 580), image.Rect(1142, 15, 1200, 630), image.Rect(0, 573, 1200, 580), image.Rect(0, 615, 1200, 630),
				} {
					if written(m, margin) {
						t.Errorf("something is in the margin %v", margin)
					}
				}
			}
		})
	}
}

// The font would draw missing glyphs as boxes.
func TestCardNameMissingGlyphs(t *testing.T) {
	for _, test := range []struct{ name, symbol, shownName, shownSymbol string }{
		{"Paper Crane", "CRANE", "Paper Crane", "CRANE"},
		{"纸鹤", "CRANE", "CRANE", "CRANE"},
		{"Crane 🕊", "CRANE", "CRANE", "CRANE"},
		{"Paper Crane", "🕊", "Paper Crane", "93mC…kxsp"},
		{"纸鹤", "🕊", "93mC…kxsp", "93mC…kxsp"},
		{"كركي", "עגור", "93mC…kxsp", "93mC…kxsp"},
		{"\u202eenarC", "CRANE", "enarC", "CRANE"},
		{"\u200b", "\u200b", "93mC…kxsp", "93mC…kxsp"},
	} {
		r := record(test.name, test.symbol)
		r.Settings.RewardToken = address
		c := card.New(r)
		if c.Name != test.shownName || c.Symbol != test.shownSymbol || c.Facts[1] != "Paid out in "+test.shownSymbol+" every 30 minutes." {
			t.Errorf("New(%q, %q) = %+v, want name %q and symbol %q", test.name, test.symbol, c, test.shownName, test.shownSymbol)
		}
		render(t, c, nil)
	}
}

func TestPictures(t *testing.T) {
	c := card.New(record("Paper Crane", "CRANE"))
	at := func(file []byte) color.Color { return render(t, c, file).At(59+100, 59+40) }
	tint := at(nil)
	whole := picture(t, 512, 512)
	if m, err := jpeg.Decode(bytes.NewReader(whole)); err != nil || !near(at(whole), m.At(100, 40)) {
		t.Errorf("the picture is not as it is: %v, %v", at(whole), err)
	}
	if at(picture(t, 300, 300)) == tint || at(picture(t, 1024, 7)) == tint {
		t.Error("a picture of another size is left out")
	}
	bomb := bytes.Clone(whole)
	i := bytes.Index(bomb, []byte{0xff, 0xc0}) // its height and width follow
	copy(bomb[i+5:], []byte{0xff, 0xff, 0xff, 0xff})
	for name, file := range map[string][]byte{
		"large": picture(t, 1025, 10), "bomb": bomb, "cut": whole[:len(whole)/2], "text": []byte("<svg/>"), "empty": {},
	} {
		if got := at(file); got != tint {
			t.Errorf("%s: drawn as %v", name, got)
		}
	}
}

func near(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	for _, d := range []int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(bl2)} {
		if d > 0x400 || d < -0x400 {
			return false
		}
	}
	return true
}

func TestTagsTellCardsApart(t *testing.T) {
	seen := map[string]string{}
	for name, c := range map[string]struct {
		record token.Record
		cid    string
	}{
		"usual": {record("Paper Crane", "CRANE"), "a"}, "name": {record("Paper Cranf", "CRANE"), "a"},
		"symbol": {record("Paper Crane", "CRANF"), "a"}, "picture": {record("Paper Crane", "CRANE"), "b"},
	} {
		tag, err := card.New(c.record).Tag(c.cid)
		if again, _ := card.New(c.record).Tag(c.cid); err != nil || tag == "" || again != tag || seen[tag] != "" {
			t.Errorf("%s has the tag %q of %q, then %q, %v", name, tag, seen[tag], again, err)
		}
		seen[tag] = name
	}
}

// Rendering a card takes well under a second, whatever the image.
func TestCardIsQuick(t *testing.T) {
	c, file := card.New(record("Paper Crane", "CRANE")), picture(t, 1024, 1024)
	began := time.Now()
	const many = 5
	for range many {
		if _, err := c.PNG(file); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(began) / many; took > 2*time.Second {
		t.Errorf("a card takes %v", took)
	}
}

func BenchmarkCard(b *testing.B) {
	c, file := card.New(record("Paper Crane", "CRANE")), picture(b, 512, 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.PNG(file); err != nil {
			b.Fatal(err)
		}
	}
}

// TestWithPaid shows what a reader of a preview wants to know first, once there is something to say.
func TestWithPaid(t *testing.T) {
	c := card.New(record("Paper Crane", "CRANE"))
	for _, test := range []struct {
		runs     uint64
		lamports *big.Int
		want     string
	}{
		{0, big.NewInt(1), c.Facts[0]},
		{1, nil, "Paid its holders in 1 proven payout."},
		{42, big.NewInt(99_999), "Paid its holders in 42 proven payouts."},
		{1_042, big.NewInt(1_204_123_456_789), "Paid its holders 1,204.1234 SOL in 1,042 proven payouts."},
	} {
		got := c.WithPaid(test.runs, test.lamports)
		if got.Facts[0] != test.want || got.Facts[1] != c.Facts[1] {
			t.Errorf("WithPaid(%d, %v) = %q, want %q", test.runs, test.lamports, got.Facts, test.want)
		}
		tag, _ := got.Tag("a")
		if before, _ := c.Tag("a"); (tag == before) != (test.runs == 0) {
			t.Errorf("WithPaid(%d) has the tag %q of %q", test.runs, tag, before)
		}
	}
}

func TestSite(t *testing.T) {
	content, err := card.Site(page.Home.Title, page.Home.Description)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(content))
	if err != nil || m.Bounds() != image.Rect(0, 0, 1200, 630) || !written(m, image.Rect(621, 60, 1141, 130)) || !written(m, image.Rect(200, 200, 400, 400)) {
		t.Fatalf("card has bounds %v, %v; want 1200 by 630 with text and image", m.Bounds(), err)
	}
	for _, area := range []image.Rectangle{image.Rect(0, 15, 58, 630), image.Rect(1142, 15, 1200, 630)} {
		if written(m, area) {
			t.Errorf("something is in the margin %v", area)
		}
	}
	if folder := os.Getenv("CARDS"); folder != "" {
		_ = os.WriteFile(folder+"/site.png", content, 0o600)
	}
}
