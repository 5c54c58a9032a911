package page

import (
	"html/template"
	"strings"
)

// addressInSamples is the placeholder for the deployment's address in the document's samples.
const addressInSamples = "https://address.invalid"

// operationView is an operation for the layout.
type operationView struct {
	ID, Method, Path, Summary string
	NeedsToken                bool
	About                     template.HTML
	Parameters                []row
	BodyType                  string
	Body                      []row
	Samples                   []sample
	Answers                   []answerView
	Errors                    []errorView
}

// answerView is a successful response. Whole is set if the response is an object with a section.
type answerView struct {
	Status, ContentType string
	About               template.HTML
	Whole               *row
	Rows                []row
	Example             string
}

type errorView struct {
	Status string
	Codes  []string
}

func (r *renderer) operation(method, path string, declared operation) (operationView, error) {
	op := operationView{ID: declared.ID, Method: method, Path: path, Summary: declared.Summary, NeedsToken: len(declared.Security) > 0}
	op.About, _ = markdown(declared.Description, r.links)
	for _, p := range declared.Parameters {
		if p.Ref != "" {
			p, _ = r.doc.Components.Parameters.get(strings.TrimPrefix(p.Ref, "#/components/parameters/"))
		}
		p.Schema.Description = p.Description
		rows, err := r.field(p.Name, p.Schema, p.Required, asked)
		if err != nil {
			return op, err
		}
		rows[0].Facts = append([]fact{{"in", p.In}}, rows[0].Facts...)
		op.Parameters = append(op.Parameters, rows...)
	}
	if declared.RequestBody != nil {
		for _, body := range declared.RequestBody.Content {
			rows, err := r.rows(body.Value.Schema, "", asked)
			if err != nil {
				return op, err
			}
			op.BodyType, op.Body = body.Key, rows
		}
	}
	for _, s := range declared.Samples {
		s.Source = strings.ReplaceAll(s.Source, addressInSamples, r.address)
		op.Samples = append(op.Samples, s)
	}
	for _, answer := range declared.Responses {
		if err := r.answer(&op, answer.Key, answer.Value); err != nil {
			return op, err
		}
	}
	return op, nil
}

// answer adds a response to the responses or to the errors.
func (r *renderer) answer(op *operationView, status string, declared response) error {
	if status >= "400" {
		e := errorView{Status: status}
		for _, body := range declared.Content {
			for _, example := range body.Value.Examples {
				e.Codes = append(e.Codes, example.Key)
			}
		}
		op.Errors = append(op.Errors, e)
		return nil
	}
	a := answerView{Status: status}
	a.About, _ = markdown(declared.Description, r.links)
	for _, body := range declared.Content {
		a.ContentType = body.Key
		whole, name, err := r.doc.resolve(body.Value.Schema)
		if err != nil {
			return err
		}
		if whole.Section {
			a.Whole = &row{Type: name, Link: "#" + sectionID(name)}
		} else if a.Rows, err = r.rows(body.Value.Schema, "", answered); err != nil {
			return err
		}
		if body.Value.Example != nil {
			if a.Example, err = indented(body.Value.Example); err != nil {
				return err
			}
		}
	}
	op.Answers = append(op.Answers, a)
	return nil
}
