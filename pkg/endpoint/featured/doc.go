// Package featured answers the routes of featured.
package featured
