// Package image turns what a stranger uploads into the picture that the service
// stores: a 512x512 JPEG, upright, square, in sRGB, on white, without metadata,
// small enough to be one IPFS block. The same upload gives the same bytes, on every
// machine, as long as the service is the same release, built with the same Go.
package image

import (
	"bytes"
	"errors"
	"fmt"
	stdimage "image"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"tokenlaunch.example/service/pkg/launch/image/icc"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

const (
	// MaxFileBytes is the longest upload: 1 MB (spec, "Other constants"), read as
	// 1 MiB.
	MaxFileBytes = 1 << 20
	// MaxPixels is the largest picture that is decoded. At the worst, a progressive
	// JPEG in RGB, the decoder takes 19 bytes for a pixel, which is 760 MB.
	MaxPixels = 40_000_000
	// Side is the width and the height of the stored picture, in pixels.
	Side = 512
	// MaxStoredBytes is the longest result: one IPFS chunk, so that the content ID
	// is the hash of the file itself.
	MaxStoredBytes = 262_144
	// ContentType is the media type of the result.
	ContentType = "image/jpeg"
)

// The most scans of a JPEG that are decoded, and the most pixels times scans.
// Encoders write about ten scans; a hostile file of 1 MiB can hold tens of
// thousands, each of which walks over the whole picture.
const (
	maxScans         = 64
	maxScannedPixels = 24 * MaxPixels
)

// qualities are tried from the left until the JPEG fits into MaxStoredBytes. Only
// noise of pure colours does not fit at the first.
var qualities = []int{88, 76, 64, 50, 30}

// Processed is a picture in the form in which it is stored.
type Processed struct {
	JPEG   []byte
	Width  int
	Height int
}

// ErrNotFound says that this service stored no picture with the content ID.
var ErrNotFound = errors.New("no such image")

// Stored is the record that the service stored a picture. Key is where the
// object is in the store, Uploader the wallet that sent it first.
type Stored struct {
	CID       string
	Key       string
	Bytes     int
	Width     int
	Height    int
	Uploader  string
	CreatedAt time.Time
}

// Process makes the stored picture of an uploaded PNG or JPEG. It judges by the
// bytes alone. What it refuses is an apperr.Invalid error with the code file_too_large,
// invalid_file_type or image_too_large: the file is too long, it is not an intact still PNG or JPEG, it is in CMYK,
// or it announces more than MaxPixels, which is found out before anything is decoded.
func Process(file []byte) (Processed, error) {
	picture, err := shown(file)
	if err != nil {
		return Processed{}, err
	}
	encoded, err := encode(picture)
	if err != nil {
		return Processed{}, err
	}
	return Processed{JPEG: encoded, Width: Side, Height: Side}, nil
}

// shown is the stored picture before it is encoded.
func shown(file []byte) (*stdimage.RGBA, error) {
	if len(file) > MaxFileBytes {
		return nil, FileTooLarge()
	}
	kind, ok := formatOf(file)
	if !ok {
		return nil, invalidFileType("The file is neither a PNG nor a JPEG.", nil)
	}
	width, height, err := kind.size(file)
	if err != nil {
		return nil, damaged(err)
	}
	// Each is below 2^31, so the product fits.
	pixels := int64(width) * int64(height)
	if pixels > MaxPixels {
		return nil, apperr.New(apperr.CodeImageTooLarge,
			fmt.Sprintf("The image has %d x %d pixels; at most %d pixels are accepted.", width, height, MaxPixels))
	}
	if err := kind.check(file, pixels); err != nil {
		return nil, err
	}
	picture, err := kind.decode(bytes.NewReader(file))
	if err != nil {
		return nil, damaged(err)
	}
	return thumbnail(picture, kind.orientation(file), coloursOf(kind.profile(file))), nil
}

// FileTooLarge is the refusal of a file of more than MaxFileBytes, for a caller that
// stops reading there.
func FileTooLarge() error {
	return apperr.New(apperr.CodeFileTooLarge,
		fmt.Sprintf("The file is longer than %d bytes.", MaxFileBytes))
}

func invalidFileType(detail string, cause error) error {
	return &apperr.Error{Code: apperr.CodeInvalidFileType, Detail: detail, Cause: cause}
}

func damaged(cause error) error {
	return invalidFileType("The file is damaged, or of a kind of PNG or JPEG that cannot be read.", cause)
}

// encode writes the best JPEG that fits into MaxStoredBytes.
func encode(picture stdimage.Image) ([]byte, error) {
	var out bytes.Buffer
	for _, quality := range qualities {
		out.Reset()
		if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: quality}); err != nil {
			return nil, fmt.Errorf("encode the image at quality %d: %w", quality, err)
		}
		if out.Len() <= MaxStoredBytes {
			return out.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("encode the image: too long at quality %d", qualities[len(qualities)-1])
}

// format is how one file format is read.
type format struct {
	signature   string
	size        func(file []byte) (width, height int32, err error)
	check       func(file []byte, pixels int64) error
	decode      func(io.Reader) (stdimage.Image, error)
	orientation func(file []byte) orientation
	profile     func(file []byte) ([]byte, icc.Space)
}

var formats = []format{
	{"\x89PNG\r\n\x1a\n", sizeOfPNG, checkPNG, png.Decode, orientationOfPNG, profileOfPNG},
	{"\xff\xd8\xff", sizeOfJPEG, checkJPEG, jpeg.Decode, orientationOfJPEG, profileOfJPEG},
}

func formatOf(file []byte) (format, bool) {
	for _, f := range formats {
		if bytes.HasPrefix(file, []byte(f.signature)) {
			return f, true
		}
	}
	return format{}, false
}
