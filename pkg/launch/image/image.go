// Package image converts an untrusted upload into the stored picture: a 512x512 JPEG, upright,
// square, in sRGB, on white, without metadata, small enough for one IPFS block. The same upload
// results in the same bytes, on every machine, for the same release of the service, built with the
// same version of Go.
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
	// MaxFileBytes is the maximum length of an upload: 1 MB (spec, "Other constants"), read as 1
	// MiB.
	MaxFileBytes = 1 << 20
	// MaxPixels is the maximum size of a decoded picture. In the worst case, a progressive JPEG in
	// RGB, the decoder needs 19 bytes for a pixel, which is 760 MB.
	MaxPixels = 40_000_000
	// Side is the width and the height of the stored picture, in pixels.
	Side = 512
	// MaxStoredBytes is the maximum length of the result: one IPFS chunk, so the content ID is the
	// hash of the file itself.
	MaxStoredBytes = 262_144
	// ContentType is the media type of the result.
	ContentType = "image/jpeg"
)

// The maximum number of scans of a decoded JPEG, and the maximum number of pixels times scans.
// Encoders write about ten scans. A hostile file of 1 MiB can contain tens of thousands of scans,
// and the decoder visits the whole picture for each scan.
const (
	maxScans         = 64
	maxScannedPixels = 24 * MaxPixels
)

// qualities are tried in order until the JPEG fits into MaxStoredBytes. Only noise of pure colours
// does not fit at the first quality.
var qualities = []int{88, 76, 64, 50, 30}

// Processed is a picture in its stored form.
type Processed struct {
	JPEG   []byte
	Width  int
	Height int
}

// ErrNotFound is returned if this service has not stored a picture with the content ID.
var ErrNotFound = errors.New("no such image")

// Stored is the record of a stored picture. Key is the object's key in the store, Uploader the
// first wallet that sent the picture.
type Stored struct {
	CID       string
	Key       string
	Bytes     int
	Width     int
	Height    int
	Uploader  string
	CreatedAt time.Time
}

// Process converts an uploaded PNG or JPEG to the stored picture. Only the bytes decide. For
// rejected files, it returns an apperr.Invalid error with the code file_too_large,
// invalid_file_type or image_too_large: the file is too long, is not an intact still PNG or JPEG,
// is in CMYK, or announces more than MaxPixels. The number of pixels is checked before decoding.
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

// shown returns the stored picture before its encoding.
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
	// Width and height are below 2^31, so the product fits.
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

// FileTooLarge returns the error for a file of more than MaxFileBytes, for callers that stop
// reading at this length.
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

// encode returns the best JPEG that fits into MaxStoredBytes.
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

// format is the set of readers of a file format.
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
