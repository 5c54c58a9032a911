// Package web is the room for the user interface: the page with its built files, and the picture in
// previews of a token's links.
//
// Package web imports token and platform.
package web
