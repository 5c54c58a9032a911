package images

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// fieldName is the form's only field.
const fieldName = "image"

// A response lists at most maxBad invalid fields, and at most maxName bytes of a name, because a
// form of some MiB has room for tens of thousands of fields.
const (
	maxBad  = 20
	maxName = 64
)

// readFile returns the file in the form's field. It holds only the file in memory, and stops at the
// first byte above the limit.
func readFile(r *http.Request) ([]byte, error) {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || parameters["boundary"] == "" {
		return nil, apperr.Validation([]apperr.Field{{
			Field: "Content-Type", Code: apperr.CodeInvalidFormat,
			Message: `Must be multipart/form-data with a boundary: a form with the file in its field "image".`,
		}})
	}
	var f form
	parts := multipart.NewReader(r.Body, parameters["boundary"])
	for len(f.bad) < maxBad {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			f.end()
			break
		}
		if err != nil {
			return nil, broken(err)
		}
		if err := f.add(part); err != nil {
			return nil, err
		}
	}
	if err := apperr.Validation(f.bad); err != nil {
		return nil, err
	}
	return f.file, nil
}

// form is the part of the form that was read so far.
type form struct {
	file  []byte
	found bool
	bad   []apperr.Field
}

func (f *form) add(part *multipart.Part) error {
	name := part.FormName()
	switch {
	case name != fieldName:
		name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
		f.reject(name, apperr.CodeUnknownField, "This form has no such field.")
		return nil
	case f.found:
		f.reject(name, apperr.CodeDuplicateField, "The form has the field more than once.")
		return nil
	}
	f.found = true
	file, err := io.ReadAll(io.LimitReader(part, image.MaxFileBytes+1))
	if err != nil {
		return broken(err)
	}
	if len(file) > image.MaxFileBytes {
		return image.FileTooLarge()
	}
	if len(file) == 0 {
		// A browser sends an empty file if the user chose no file.
		f.reject(name, apperr.CodeRequired, "The file is empty.")
	}
	f.file = file
	return nil
}

func (f *form) end() {
	if !f.found {
		f.reject(fieldName, apperr.CodeRequired, "This field is required: one PNG or JPEG file.")
	}
}

// reject adds an error, unless the same error was added before.
func (f *form) reject(name string, code apperr.Code, message string) {
	bad := apperr.Field{Field: name, Code: code, Message: message}
	if !slices.Contains(f.bad, bad) {
		f.bad = append(f.bad, bad)
	}
}

// broken explains why a form cannot be read to the end.
func broken(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return image.FileTooLarge()
	}
	return &apperr.Error{
		Code: apperr.CodeValidationFailed, Detail: "The form cannot be read to its end.",
		Fields: []apperr.Field{{Field: "body", Code: apperr.CodeInvalidFormat, Message: "Must be a complete multipart form."}},
		Cause:  fmt.Errorf("read the form: %w", err),
	}
}
