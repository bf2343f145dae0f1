//go:build unix

package main

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
)

// shortestToken is the fewest characters of a token that cannot be guessed.
const shortestToken = 16

// serveCommand is `codegraph serve`.
func (a *app) serveCommand() *cobra.Command {
	var address, tokenFile string
	var verbose bool
	c := &cobra.Command{
		Use: "serve --http ADDRESS", Short: "Serve the tools over the Model Context Protocol on HTTP",
		Long: "Serves the tools over the Model Context Protocol's streamable HTTP, at http://ADDRESS/mcp, until it is\n" +
			"interrupted. ADDRESS is HOST:PORT; with port 0 a free one is taken and printed. Without --token-file only\n" +
			"addresses of this machine's loopback are served.",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if address == "" {
				return &readtools.Error{Code: "usage", Message: "serve needs an address", Next: "run `codegraph serve --http 127.0.0.1:0`"}
			}
			return a.serveHTTP(c.Context(), address, tokenFile, verbose)
		},
	}
	c.Flags().StringVar(&address, "http", "", "the address to listen on, HOST:PORT")
	c.Flags().StringVar(&tokenFile, "token-file", "", "a file, readable by its owner alone, with the bearer token that each request must bring")
	c.Flags().BoolVar(&verbose, "verbose", false, "log calls on standard error")
	return c
}

// serveHTTP serves until it is interrupted, which is how it ends well.
func (a *app) serveHTTP(ctx context.Context, address, tokenFile string, verbose bool) error {
	token, err := readToken(tokenFile)
	if err != nil {
		return err
	}
	l, err := listen(ctx, address, token != "")
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	f := a.newFrontend()
	defer f.close()
	s, err := f.server(verbose)
	if err != nil {
		return err
	}
	if err := a.printAddress(l); err != nil {
		return err
	}
	if _, err := a.root(); err != nil {
		a.say("%v", err) // each call will say it again; what starts the server sees it here
	}
	if err := s.ServeHTTP(ctx, l, mcpserver.HTTP{Token: token}); err != nil {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	return nil
}

// printAddress tells where the server is, on standard output, since a program may want it.
func (a *app) printAddress(l net.Listener) error {
	url := "http://" + l.Addr().String() + "/mcp"
	if a.json {
		return a.printJSON(map[string]any{"url": url})
	}
	_, err := fmt.Fprintln(a.out, url)
	return err
}

// listen listens on an address: one of loopback, unless requests bring a token.
func listen(ctx context.Context, address string, open bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &readtools.Error{Code: "usage", Message: fmt.Sprintf("%q is no HOST:PORT", address), Next: "give one such as 127.0.0.1:8080, or 127.0.0.1:0 for a free port"}
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) && !open {
		return nil, &readtools.Error{
			Code: "usage", Message: fmt.Sprintf("others could reach %q", address),
			Next: "serve on 127.0.0.1, or give --token-file FILE with a token that each request must bring",
		}
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, &readtools.Error{Code: "unavailable", Message: err.Error(), Next: "choose another port; 0 takes a free one"}
	}
	return l, nil
}

// readToken reads the token of a file that only its owner can read; it is "" without a file.
func readToken(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	refuse := func(message, next string) (string, error) {
		return "", &readtools.Error{Code: "usage", Message: message, Next: next}
	}
	st, err := os.Stat(file)
	if err != nil {
		return refuse("the token's file cannot be read: "+err.Error(), "make one: `(umask 077; openssl rand -hex 32 > "+file+")`")
	}
	if !st.Mode().IsRegular() || st.Mode().Perm()&(fs.ModePerm&^0o700) != 0 {
		return refuse("others can read the token's file "+file, "run `chmod 600 "+file+"`, and change the token if others may have read it")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return refuse("the token's file cannot be read: "+err.Error(), "give a file that you can read")
	}
	token := strings.TrimSpace(string(b))
	if len(token) < shortestToken || strings.ContainsAny(token, " \t\r\n") {
		return refuse(fmt.Sprintf("the token in %s is no word of at least %d characters", file, shortestToken), "make one: `(umask 077; openssl rand -hex 32 > "+file+")`")
	}
	return token, nil
}
