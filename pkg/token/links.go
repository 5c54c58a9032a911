package token

import (
	"iter"
	"reflect"
	"strings"
)

// Links are the creator's links to other sites. An empty link is unset. Each field defines a site:
// the name in the API and in the metadata file, the hosts and the example of Site, and the help of
// the command line. The metadata file has the links in this order.
type Links struct {
	Twitter  string `example:"https://x.com/name or @name"  help:"Link to a profile." hosts:"x.com twitter.com www.x.com www.twitter.com" json:"twitter,omitempty"`
	Telegram string `example:"https://t.me/name or @name"   help:"Link to a group."   hosts:"t.me telegram.me"                            json:"telegram,omitempty"`
	Website  string `example:"https://example.com"          help:"Link to a site."                                                        json:"website,omitempty"`
}

// Site is a site in Links.
type Site struct {
	// Name is the name in the API.
	Name string
	// Help describes the link to a creator.
	Help string
	// example is a valid link, for an error's text.
	example string
	// hosts are the site's names. The first host completes a handle. A site without hosts accepts
	// every host.
	hosts []string
}

// EachLink iterates over the sites with pointers to their links, for reading or setting.
func (l *Links) EachLink() iter.Seq2[Site, *string] {
	return func(yield func(Site, *string) bool) {
		value := reflect.ValueOf(l).Elem()
		for i := range value.NumField() {
			tag := value.Type().Field(i).Tag
			name, _, _ := strings.Cut(tag.Get("json"), ",")
			site := Site{Name: name, Help: tag.Get("help"), example: tag.Get("example"), hosts: strings.Fields(tag.Get("hosts"))}
			if !yield(site, value.Field(i).Addr().Interface().(*string)) { //nolint:forcetypeassert // each field is a string
				return
			}
		}
	}
}

// complete converts a link to https; see socialLink and webLink.
func (s Site) complete(link string) string {
	if len(s.hosts) == 0 {
		return webLink(link)
	}
	return socialLink(link, s.hosts...)
}
