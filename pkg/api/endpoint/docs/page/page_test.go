package page_test

import (
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/page"
)

const kites = `{
  "info": {"title": "Kites <&>", "version": "1", "description": "See ` + "`GET /kites/{id}`" + ` & ` + "`<b>`" + `.\n\n## How to\n\n1. One\n   more.\n2. Two\n\n- Bullet"},
  "tags": [{"name": "Air"}],
  "paths": {
    "/kites/{id}": {"get": {
      "operationId": "getKite", "tags": ["Air"], "summary": "Look", "security": [{"bearer": []}],
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "example": "k1"}, {"$ref": "#/components/parameters/Wind"}],
      "responses": {
        "200": {"description": "A kite.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Kite"}, "example": {"tail": {"m": 2}}}}},
        "404": {"description": "None.", "content": {"application/problem+json": {"schema": {}, "examples": {"kite_gone": {}}}}}
      },
      "x-codeSamples": [{"lang": "Shell", "label": "curl", "source": "curl https://address.invalid/kites/k1 -d 'a&b'"}, {"lang": "Go", "label": "Go", "source": "kites.Get()"}],
      "x-rate-limit": {"bucket": "kites", "limit": 5, "windowSeconds": 3600, "per": "wallet"}
    }},
    "/kites": {"post": {
      "operationId": "makeKite", "tags": ["Air"], "summary": "Make", "security": [],
      "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}, "example": {"name": "it's"}}}},
      "responses": {"200": {"description": "Made.", "content": {"application/json": {"schema": {"type": "object", "required": ["kites"], "properties": {"kites": {"type": "array", "items": {"$ref": "#/components/schemas/Kite"}}}}}}}}
    }}
  },
  "components": {
    "parameters": {"Wind": {"name": "wind", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 12, "default": 3}}},
    "examples": {"kite_gone": {"value": {"code": "kite_gone", "height": 7}}},
    "schemas": {
      "Kite": {"type": "object", "x-section": true, "properties": {"tail": {"type": "object", "properties": {"m": {"type": "integer"}}}}},
      "Order": {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "minLength": 1},
        "colour": {"type": ["string", "null"], "enum": ["red", null], "default": "red"},
        "line": {"$ref": "#/components/schemas/Length", "description": "How long."}
      }},
      "Length": {"type": "number", "minimum": 0, "description": "Metres."}
    }
  },
  "x-error-codes": [{"code": "kite_gone", "status": 404, "meaning": "It flew.", "remedy": "See ` + "`GET /kites/{id}`" + `."}, {"code": "no_sky", "status": 404, "meaning": "No sky.", "remedy": "Go out."}]
}`

func TestRender(t *testing.T) {
	html, err := page.Render([]byte(kites), "https://kites.example/")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"text is escaped":          `<title>Kites &lt;&amp;&gt;</title>`,
		"code spans are escaped":   `&amp; <code>&lt;b&gt;</code>.`,
		"operations are linked":    `<a href="#getKite"><code>GET /kites/{id}</code></a>`,
		"headings are contents":    `<li><a href="#how-to">How to</a></li>`,
		"list items go on":         "<ol>\n<li>One more.</li>\n<li>Two</li>\n</ol>",
		"bullets":                  "<ul>\n<li>Bullet</li>\n</ul>",
		"needs a token":            `<h3>Look <span class="lock">needs a token</span></h3>`,
		"needs none":               `<h3>Make</h3>`,
		"whole objects are linked": `The object is a <a href="#object-kite">Kite</a>`,
		"arrays of them too":       `<a href="#object-kite">array of Kite</a>`,
		"inner fields have paths":  `<code>tail.m</code>`,
		"required fields":          `<code>name</code> <span class="type">string</span> <span class="presence">required</span>`,
		"bounds":                   `<span>range <code>1 to 12</code></span>`,
		"defaults":                 `<span>default <code>3</code></span>`,
		"null is no choice":        `<span>one of <code>red</code></span>`,
		"types":                    `<code>colour</code> <span class="type">string or null</span></dt>`,
		"the text next to a ref":   `<p>How long.</p>`,
		"absence":                  `<code>tail</code> <span class="type">object</span> <span class="presence">may be absent</span>`,
		"errors":                   `<dd><a href="#kite_gone"><code>kite_gone</code></a> </dd>`,
		"the first sample is open": `<details class="code" name="call-getKite" open><summary>curl</summary><pre tabindex="0"><code>curl https://kites.example/kites/k1 -d &#39;a&amp;b&#39;</code>`,
		"others can be opened":     `<details class="code" name="call-getKite"><summary>Go</summary><pre tabindex="0"><code>kites.Get()</code>`,
		"codes say what to do":     "<h4>What to do</h4>\n<p>See <a href=\"#getKite\"><code>GET /kites/{id}</code></a>.</p>",
		"codes name operations":    "<h4>Answered by</h4>\n<a class=\"line\" href=\"#getKite\">GET /kites/{id}</a>",
		"codes have examples":      `<code>{` + "\n" + `  &#34;code&#34;: &#34;kite_gone&#34;,` + "\n" + `  &#34;height&#34;: 7`,
		"a code of no operation":   "<p>No operation: the request is refused before one is reached.</p>",
		"has an example, too":      `  &#34;title&#34;: &#34;No sky&#34;`,
		"limits":                   `<td>5 per hour</td><td>wallet</td>`,
	} {
		if !strings.Contains(string(html), want) {
			t.Errorf("%s: the page lacks %s", name, want)
		}
	}
	if strings.Contains(string(html), "Metres.") {
		t.Error("the description of a schema is next to the one that replaces it")
	}
}

func TestRenderRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"what is not JSON":              "{",
		"a schema that is not there":    strings.Replace(kites, "schemas/Length", "schemas/Width", 1),
		"an inner schema":               strings.Replace(kites, `{"m": {"type": "integer"}}`, `{"m": {"$ref": "#/components/schemas/None"}}`, 1),
		"paths that are no JSON object": strings.Replace(kites, `"paths": {`, `"paths": [], "x": {`, 1),
	} {
		if _, err := page.Render([]byte(text), "https://kites.example"); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
