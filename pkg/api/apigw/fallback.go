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

// fallbackRoute is the route of all requests without a route. The method is GET because a response
// changes nothing, whatever the request's method.
var fallbackRoute = route.Route{Method: http.MethodGet, Path: "$default", Operation: "unknownRoute", Access: route.Public, Rule: limits.Page}

// router is a ServeMux without redirects. A path matches a route only as written, with the route's
// methods. HEAD is GET without a body (RFC 9110, 9.3.2) on the function's routes, which HEAD
// reaches by ANY if the route is public. A HEAD of another route reaches function docs by the route
// $default.
type router struct {
	routes   *http.ServeMux
	fallback http.Handler
}

// ServeHTTP calls the handler of the request's route.
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

// Write drops the bytes and reports the bytes as written.
func (b bodiless) Write(body []byte) (int, error) { return len(body), nil }

// lacks reports whether the path exists only with other methods. A ServeMux and API Gateway would
// route GET /tokens/submit to the token with the address "submit".
func lacks(path, method string) bool {
	methods := route.Methods(path)
	return len(methods) > 0 && !slices.Contains(methods, method)
}

// clean reports whether a ServeMux would accept the path without a redirect.
func clean(p string) bool {
	return strings.HasPrefix(p, "/") && p != "//" && (path.Clean(p) == p || path.Clean(p)+"/" == p)
}

// fallback responds to requests without a route: 404, or 405 if the path has other methods. OPTIONS
// on an existing path is a browser's preflight. If the gateway does not respond to the preflight,
// the gateway adds the CORS headers to this 204.
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
