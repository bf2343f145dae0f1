//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/codegraph-dev/codegraph/readtools"
)

// manCommand is `codegraph man`: the manual page of a verb, for man(1).
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man [VERB]", Short: "Print the manual page of the program or of a verb, for man(1)", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			of := c.Root()
			if len(args) == 1 {
				found, _, err := of.Find(args)
				if err != nil || found == of {
					return &readtools.Error{Code: "not_found", Message: fmt.Sprintf("there is no verb %q", args[0]), Next: "run `codegraph --help` for the verbs"}
				}
				of = found
			}
			_, err := fmt.Fprint(a.out, manPage(of))
			return err
		},
	}
}

// manPage is the page of a verb.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"codegraph %s\" \"codegraph\"\n", strings.ToUpper(roff(name)), roff(version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n", roff(name), roff(c.Short), roff(c.UseLine()))
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		for _, part := range strings.Split(c.Long, "\n\n") {
			b.WriteString(roff(part) + "\n.PP\n")
		}
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH VERBS\n")
		for _, v := range c.Commands() {
			if v.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(v.Name()), roff(v.Short))
			}
		}
	}
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF EVERY VERB", c.InheritedFlags())
	b.WriteString(".SH EXIT STATUS\n0 found or done, 1 nothing found, 2 usage, precondition or trouble, 3 approval required or denied, 130 interrupted.\n")
	return b.String()
}

func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			fmt.Fprintf(b, "\\fB\\-%s\\fR, ", roff(f.Shorthand))
		}
		kind, doc := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, "\\fB\\-\\-%s\\fR", roff(f.Name))
		if kind != "" && kind != "bool" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(kind))
		}
		fmt.Fprintf(b, "\n%s\n", roff(doc))
	})
}

// roff is a text as roff writes it: no line begins with a control character.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	var lines []string
	for _, l := range strings.Split(s, "\n") {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			l = `\&` + l
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}
