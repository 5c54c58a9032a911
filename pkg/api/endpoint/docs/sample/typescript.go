package sample

import (
	"fmt"
	"strings"
)

// typeScript returns a call of the named method of the npm package in pkg/client/typescript, whose
// types are generated from the document. Parameters and the fields of the body are members of one
// object.
func typeScript(o Operation) string {
	asked := Object{}
	for _, p := range o.Parameters {
		asked = append(asked, Member{p.Name, p.Example})
	}
	body, _ := o.Body.(Object)
	asked = append(asked, body...)
	imports, argument := "", ""
	switch {
	case o.File != "":
		imports = "import { readFile } from 'node:fs/promises';\n"
		argument = fmt.Sprintf("{ %s: await readFile(%s) }", o.File, literal(picture))
	case len(asked) > 0:
		argument = write(asked, "", func(name string) string { return name }, literal, ",")
	}
	signedIn := ""
	if o.NeedsToken {
		signedIn = ", process.env.TOKEN"
	}
	return fmt.Sprintf(`%simport { service } from 'tokenlaunch/api';

const api = service('%s'%s);
console.log(await api.%s(%s)); // throws a Problem`, imports, Address, signedIn, o.ID, argument)
}

// literal formats a value in TypeScript.
func literal(v any) string {
	s, ok := v.(string)
	if !ok || strings.ContainsAny(s, "'\\\n") {
		return text(v)
	}
	return "'" + s + "'"
}
