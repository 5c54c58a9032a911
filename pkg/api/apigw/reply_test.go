package apigw

import (
	"net/http/httptest"
	"testing"
)

// TestWriteWhole tests that WriteWhole does not copy the body, and that later writes do not change
// the body.
func TestWriteWhole(t *testing.T) {
	body := append(make([]byte, 0, 10), "whole"...)
	p := newReply()
	if err := WriteWhole(p, body); err != nil {
		t.Fatal(err)
	}
	if &p.body.Bytes()[0] != &body[0] {
		t.Error("it was copied")
	}
	for _, more := range []string{" and", " more"} {
		if err := WriteWhole(p, []byte(more)); err != nil {
			t.Fatal(err)
		}
	}
	recorder := httptest.NewRecorder()
	if err := p.send(recorder); err != nil || recorder.Body.String() != "whole and more" || recorder.Code != 200 {
		t.Errorf("response %d %q, %v; want 200 \"whole and more\"", recorder.Code, recorder.Body, err)
	}
	if rest := body[:cap(body)]; string(rest) != "whole\x00\x00\x00\x00\x00" {
		t.Errorf("the first body has become %q", rest)
	}
}
