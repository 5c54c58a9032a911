package apigw

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// fallbackRoute stands for whatever is no route. Its method says that answering
// changes nothing, whatever the request's method is.
var fallbackRoute = route.Route{Method: http.MethodGet, Path: "$default", Operation: "unknownRoute", Access: route.Public, Rule: limits.Page}

// router is a ServeMux without its redirects: a path is a route exactly as written, with exactly its
// methods. HEAD is GET without a body (RFC 9110, 9.3.2) on the routes of its function, which HEAD reaches
// by ANY if the route is public. A HEAD of another route reaches function docs by the route $default.
type router struct {
	routes   *http.ServeMux
	fallback http.Handler
}

// ServeHTTP hands the request to its route.
func (rt router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		get := r.Clone(r.Context())
		get.Method = http.MethodGet
		if _, pattern := rt.routes.Handler(get); pattern != "/" {
			w, r = bodiless{w}, get
		}
	}
	if r.Method == http.MethodHead || !clean(r.URL.Path) || lacks(r.URL.Path, r.Method) {
		rt.fallback.ServeHTTP(w, r)
		return
	}
	rt.routes.ServeHTTP(w, r)
}

// bodiless drops the body of a response.
type bodiless struct{ http.ResponseWriter }

// Write reports the bytes as written.
func (b bodiless) Write(body []byte) (int, error) { return len(body), nil }

// lacks reports whether the path has other methods only. A ServeMux would take
// GET /tokens/submit for the token with the address "submit", as API Gateway does.
func lacks(path, method string) bool {
	methods := route.Methods(path)
	return len(methods) > 0 && !slices.Contains(methods, method)
}

// clean reports whether a ServeMux would take the path as it is, and not redirect.
func clean(p string) bool {
	return strings.HasPrefix(p, "/") && p != "//" && (path.Clean(p) == p || path.Clean(p)+"/" == p)
}

// fallback answers requests for no route: 404, or 405 when the path has other
// methods. OPTIONS on a path that exists is a browser's preflight: the gateway
// adds the CORS headers to our 204, when it does not answer it itself.
func fallback(w http.ResponseWriter, r *http.Request) error {
	methods := route.Methods(r.URL.Path)
	switch {
	case len(methods) == 0, slices.Contains(methods, r.Method):
		return apperr.New(apperr.CodeNotFound, "There is nothing at this path. /docs lists what there is.")
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", strings.Join(methods, ", "))
		w.WriteHeader(http.StatusNoContent)
		return nil
	default:
		return &apperr.Error{
			Code:   apperr.CodeMethodNotAllowed,
			Detail: "This path takes " + strings.Join(methods, ", ") + ".", Allow: methods,
		}
	}
}
