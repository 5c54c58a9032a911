// Package web is the room for what a person sees: the page with its built files, and the picture
// that previews of a token show.
//
// It imports token and platform.
package web
