package runtimeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// base is the version of the API, the first part of every path.
const base = "/2018-06-01/runtime/"

// maxAnswer is the maximum size of a response, 6 MB and a little.
const maxAnswer = 6<<20 + 100

// FunctionError is the report of a function in place of a response.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
	// Raw is all that it reported.
	Raw json.RawMessage `json:"-"`
}

func (e *FunctionError) Error() string { return e.Type + ": " + e.Message }

// invocation is one event on its way through the process.
type invocation struct {
	Event
	deadline time.Time
	done     chan outcome // has room for the one that counts
}

type outcome struct {
	answer []byte
	err    error
}

// ServeHTTP serves the process. Lambda sends an environment one event at a time,
// and so does Process.
func (p *Process) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ours := strings.CutPrefix(r.URL.Path, base)
	id, verb, _ := strings.Cut(strings.TrimPrefix(path, "invocation/"), "/")
	switch {
	case !ours:
		refuse(w, http.StatusNotFound, "UnknownPath", r.URL.Path)
	case r.Method == http.MethodGet && path == "invocation/next":
		p.next(w, r)
	case r.Method == http.MethodPost && path == "init/error":
		p.initError(w, r)
	case r.Method == http.MethodPost && (verb == "response" || verb == "error"):
		p.finish(w, r, id, verb)
	default:
		refuse(w, http.StatusNotFound, "UnknownPath", r.Method+" "+r.URL.Path)
	}
}

// next hands out an event as soon as there is one.
func (p *Process) next(w http.ResponseWriter, r *http.Request) {
	p.asked.Do(func() {
		p.readyAt = time.Now()
		close(p.ready)
	})
	var i *invocation
	select {
	case i = <-p.events:
	case <-r.Context().Done():
		return // the process has ended
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Lambda-Runtime-Aws-Request-Id", i.RequestID)
	header.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(i.deadline.UnixMilli(), 10))
	header.Set("Lambda-Runtime-Invoked-Function-Arn", p.options.ARN)
	if i.TraceID != "" {
		header.Set("Lambda-Runtime-Trace-Id", i.TraceID)
	}
	_, _ = w.Write(i.Payload) // a process that has ended is noticed as such
}

// initError is the last word of a process that cannot begin.
func (p *Process) initError(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAnswer))
	if err != nil {
		refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	p.mu.Lock()
	p.failedInit = readError(text)
	p.mu.Unlock()
	accept(w)
}

// finish takes what came of an event.
func (p *Process) finish(w http.ResponseWriter, r *http.Request, id, verb string) {
	p.mu.Lock()
	i := p.current
	p.mu.Unlock()
	if i == nil || i.RequestID != id {
		refuse(w, http.StatusBadRequest, "InvalidRequestID", "no event "+id+" is under way")
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAnswer))
	var (
		result   outcome
		tooLarge *http.MaxBytesError
	)
	switch {
	case errors.As(err, &tooLarge):
		result.err = &FunctionError{
			Type: "Function.ResponseSizeTooLarge", Message: fmt.Sprintf("the answer is longer than %d bytes", maxAnswer),
		}
	case err != nil: // it was cut off: its sender has ended
		refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	case verb == "error":
		result.err = readError(text)
	default:
		result.answer = text
	}
	select {
	case i.done <- result:
	default: // a second outcome of one event changes nothing
	}
	if tooLarge != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", result.err.Error())
		return
	}
	accept(w)
}

// readError reads an error as runtimes report them.
func readError(text []byte) *FunctionError {
	e := &FunctionError{Raw: text}
	if err := json.Unmarshal(text, e); err != nil || e.Type == "" && e.Message == "" {
		e.Type, e.Message = "Runtime.Unknown", string(text)
	}
	return e
}

func accept(w http.ResponseWriter) {
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"status":"OK"}`)
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"errorType": kind, "errorMessage": message})
}
