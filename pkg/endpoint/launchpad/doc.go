// Package launchpad answers the routes of launchpad.
package launchpad
