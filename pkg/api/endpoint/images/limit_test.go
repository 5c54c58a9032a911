package images_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
)

// TestImagesAreLimitedByAddress tests docs/attacks.md, "Launching": wallets are free, so one
// address with a wallet for each picture is rejected, with the code and the headers of that limit.
// Another address is not, and a store that fails uses nothing up.
func TestImagesAreLimitedByAddress(t *testing.T) {
	b := newBench(t)
	const limit = 25 // of the bench
	upload := func(address string, shade uint8) *httptest.ResponseRecorder {
		t.Helper()
		picture := image.NewGray(image.Rect(0, 0, 8, 8))
		picture.SetGray(0, 0, color.Gray{Y: shade})
		var file bytes.Buffer
		if err := png.Encode(&file, picture); err != nil {
			t.Fatal(err)
		}
		contentType, body := form(t, part{"image", "token.png", file.Bytes()})
		stranger := solana.NewWallet().PublicKey().String()
		ctx := apigw.WithCaller(t.Context(), apigw.CallerContext{Wallet: stranger, SourceIP: address, RequestID: "request"})
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/tokens/upload-image", body)
		r.Header.Set("Content-Type", contentType)
		recorder := httptest.NewRecorder()
		b.handler.ServeHTTP(recorder, r)
		return recorder
	}
	for i := range limit {
		if got := upload("203.0.113.9", uint8(i)); got.Code != http.StatusOK {
			t.Fatalf("picture %d: %d %s", i, got.Code, got.Body)
		}
	}
	got := upload("203.0.113.9", 255)
	if answer := decode(t, got.Code, got.Body.Bytes()); answer.Status != http.StatusTooManyRequests || answer.Code != "upload_limit_exceeded" ||
		got.Header().Get("X-RateLimit-Limit") != "25" || got.Header().Get("X-RateLimit-Window") != "3600" || got.Header().Get("Retry-After") == "" {
		t.Errorf("then %d %s with %v", got.Code, got.Body, got.Header())
	}
	if got := upload("203.0.113.10", 255); got.Code != http.StatusOK {
		t.Errorf("from another address: %d %s", got.Code, got.Body)
	}
}
