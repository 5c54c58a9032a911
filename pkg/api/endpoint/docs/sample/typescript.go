package sample

import (
	"fmt"
	"strings"
)

// typeScript calls by the npm package of pkg/client/typescript, whose types are generated
// from the document.
func typeScript(o Operation) string {
	var options []string
	for _, in := range []string{"path", "query"} {
		var of []string
		for _, p := range o.Parameters {
			if p.In == in {
				of = append(of, p.Name+": "+literal(p.Example))
			}
		}
		if len(of) > 0 {
			options = append(options, fmt.Sprintf("%s: { %s }", in, strings.Join(of, ", ")))
		}
	}
	if len(options) > 0 {
		options = []string{"params: { " + strings.Join(options, ", ") + " }"}
	}
	imports, before := "", ""
	switch {
	case o.File != "":
		imports = "import { openAsBlob } from 'node:fs';\n"
		before = fmt.Sprintf("const form = new FormData();\nform.append(%s, await openAsBlob(%s));\n", literal(o.File), literal(picture))
		options = append(options, "body: form as never")
	case o.Body != nil:
		options = append(options, "body: "+write(o.Body, "  ", func(name string) string { return name }, literal, ","))
	}
	switch {
	case strings.HasPrefix(o.Answer, "text/"), o.Answer == "image/svg+xml":
		options = append(options, "parseAs: 'text'")
	case o.Answer == "image/png":
		options = append(options, "parseAs: 'blob'")
	}
	failure := "new Error(error.detail)"
	if o.Answer != "application/json" { // then an error may be a page
		failure = "error"
	}
	call := fmt.Sprintf("api.%s('%s'", o.Method, o.Path)
	if len(options) > 0 {
		call += ", {\n  " + strings.Join(options, ",\n  ") + ",\n}"
	}
	signedIn := ""
	if o.NeedsToken {
		signedIn = ", process.env.TOKEN"
	}
	return fmt.Sprintf(`%simport { connect } from 'tokenlaunch/api';

const api = connect('%s'%s);
%sconst { data, error } = await %s);
if (error) throw %s;
console.log(data);`, imports, Address, signedIn, before, call, failure)
}

// literal is a value in TypeScript.
func literal(v any) string {
	s, ok := v.(string)
	if !ok || strings.ContainsAny(s, "'\\\n") {
		return text(v)
	}
	return "'" + s + "'"
}
