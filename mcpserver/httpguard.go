package mcpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// admit answers requests that may not reach the server, and reports whether this one may.
//
// A page of the web can make a browser send requests here, to a name of its own that leads
// to this machine (DNS rebinding) or across origins. So the Origin of a page must be on this
// machine, and without a token the Host as well; a page cannot choose either, nor can it
// know the token.
func (h *httpHandler) admit(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case h.Token == "" && !isLocal(hostOf(r.Host)):
		deny(w, http.StatusForbidden, "the Host header must name this machine, such as 127.0.0.1 or localhost")
	case !localOrigins(r.Header.Values("Origin")):
		deny(w, http.StatusForbidden, "pages of other origins may not use this server")
	case !h.knows(r):
		w.Header().Set("WWW-Authenticate", `Bearer realm="codegraph"`)
		deny(w, http.StatusUnauthorized, "send the server's token: Authorization: Bearer TOKEN")
	case r.URL.Path != h.Path:
		deny(w, http.StatusNotFound, "the server is at "+h.Path)
	default:
		return true
	}
	return false
}

// knows reports whether a request brings the token. The comparison takes as long for a wrong
// one, whatever is wrong about it.
func (h *httpHandler) knows(r *http.Request) bool {
	if h.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1 && strings.EqualFold(scheme, "bearer")
}

// hostOf is the host of a Host header, without its port.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

// isLocal reports whether a host is a name or an address of this machine's loopback.
func isLocal(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// localOrigins reports whether a page that sent a request, if one did, is of this machine.
func localOrigins(origins []string) bool {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !isLocal(u.Hostname()) {
			return false
		}
	}
	return true
}

// isJSON reports whether a body says that it is JSON. A form, which a page may send across
// origins without asking, does not.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == mimeJSON
}

const (
	mimeJSON   = "application/json"
	mimeEvents = "text/event-stream"
)

// accepts reports whether a client takes answers of a type. One that does not say takes all.
func accepts(r *http.Request, kind string) bool {
	given := r.Header.Values("Accept")
	for _, part := range strings.Split(strings.Join(given, ","), ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		if q, err := strconv.ParseFloat(params["q"], 64); err == nil && q == 0 {
			continue
		}
		main, _, _ := strings.Cut(kind, "/")
		if name == kind || name == "*/*" || name == main+"/*" {
			return true
		}
	}
	return len(given) == 0
}
