//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
)

// tool is a row of the program's table of tools: the one over MCP and its verb.
type tool struct {
	mcpserver.Tool
	verb  string
	input string // the parameter that standard input may give, if there is one
	short string
}

// toolCommand is the verb of a tool: its flags and arguments are derived from the tool's
// parameters, and its call is the one that comes over MCP.
func (a *app) toolCommand(t tool) *cobra.Command {
	fields := mcpserver.Fields(t.Params)
	c := &cobra.Command{Use: t.verb + usageOf(fields), Short: t.short}
	values := map[string]*flagValue{}
	for _, f := range fields {
		v := &flagValue{field: f}
		values[f.JSON] = v
		short := f.Short
		if short == rootShort {
			short = "" // see shareShort
		}
		flag := c.Flags().VarPF(v, strings.ReplaceAll(f.JSON, "_", "-"), short, docOf(f))
		if f.Type.Kind() == reflect.Bool {
			flag.NoOptDefVal = "true"
		}
		if len(f.Enum) > 0 {
			_ = c.RegisterFlagCompletionFunc(flag.Name, cobra.FixedCompletions(f.Enum, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	a.extraFlags(t, c, values)
	if names, ok := completions[t.Name]; ok {
		c.ValidArgsFunction = a.complete(names)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.shareShort(fields, values); err != nil {
			return err
		}
		if err := a.positional(c, fields, values, args); err != nil {
			return err
		}
		if err := a.takeInput(t, values); err != nil {
			return err
		}
		return a.callTool(c.Context(), t, arguments(values))
	}
	return c
}

// rootShort is the short flag of the root.
const rootShort = "C"

// shareShort gives the values of the root's short flag that are numbers to the parameter that
// has the same short flag: -C 3 is context, -C DIR the root. A folder with a number for its
// name is ./3.
func (a *app) shareShort(fields []mcpserver.Field, values map[string]*flagValue) error {
	for _, f := range fields {
		if f.Short != rootShort {
			continue
		}
		var roots []string
		for _, s := range a.roots {
			if _, err := strconv.Atoi(s); err != nil {
				roots = append(roots, s)
			} else if err := values[f.JSON].Set(s); err != nil {
				return err
			}
		}
		a.roots = roots
	}
	return nil
}

// usageOf names the positional arguments.
func usageOf(fields []mcpserver.Field) string {
	var b strings.Builder
	for _, f := range fields {
		if f.Pos == "" {
			continue
		}
		word := strings.ToUpper(f.JSON)
		if strings.HasSuffix(f.Pos, "...") {
			word += "..."
		}
		if !f.Required {
			word = "[" + word + "]"
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

func docOf(f mcpserver.Field) string {
	doc := f.Doc
	if len(f.Enum) > 0 {
		doc += " (" + strings.Join(f.Enum, ", ") + ")"
	}
	if f.Default != "" {
		doc += " (default " + f.Default + ")"
	}
	return doc
}

// flagValue collects the value of one parameter.
type flagValue struct {
	field mcpserver.Field
	set   bool
	list  []string
	value any
}

// String implements pflag.Value.
func (v *flagValue) String() string { return "" }

// Type implements pflag.Value.
func (v *flagValue) Type() string {
	switch v.field.Type.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Int:
		return "n"
	case reflect.Slice:
		return "strings"
	}
	return "string"
}

// Set implements pflag.Value.
func (v *flagValue) Set(s string) error {
	v.set = true
	switch v.field.Type.Kind() {
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		v.value = b
		return err
	case reflect.Int:
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("%q is not a number", s)
		}
		v.value = n
	case reflect.Slice:
		if v.field.Type.Elem().Kind() == reflect.Struct {
			v.value = json.RawMessage(s)
			if !json.Valid([]byte(s)) {
				return errors.New("it is no JSON; give a list of objects")
			}
			return nil
		}
		v.list = append(v.list, s)
		v.value = v.list
	default:
		v.value = s
	}
	return nil
}

// text is the value of a parameter that is a text and has one.
func (v *flagValue) text() (string, bool) {
	if v == nil {
		return "", false
	}
	s, ok := v.value.(string)
	return s, ok
}

// positional gives the arguments to the parameters that have a place. One that was given by
// its flag leaves its place to the next; the last one, if it is a text, takes the rest as words.
func (a *app) positional(c *cobra.Command, fields []mcpserver.Field, values map[string]*flagValue, args []string) error {
	var last *flagValue
	for _, f := range fields {
		v := values[f.JSON]
		many := strings.HasSuffix(f.Pos, "...")
		if f.Pos == "" || len(args) == 0 || v.set && !many {
			continue
		}
		take := args[:1]
		if many {
			take = args
		}
		for _, s := range take {
			if err := v.Set(s); err != nil {
				return a.usage(c, fmt.Sprintf("%s: %v", f.JSON, err))
			}
		}
		args = args[len(take):]
		if last = v; many {
			last = nil
		}
	}
	if text, ok := last.text(); ok && len(args) > 0 {
		return last.Set(strings.Join(append([]string{text}, args...), " "))
	}
	if len(args) > 0 {
		return a.usage(c, fmt.Sprintf("there is no place for the argument %q", args[0]))
	}
	return nil
}

// arguments is the call's arguments object.
func arguments(values map[string]*flagValue) map[string]any {
	out := map[string]any{}
	for name, v := range values {
		if v.set {
			out[name] = v.value
		}
	}
	return out
}

// callTool calls a tool and prints what it answers.
func (a *app) callTool(ctx context.Context, t tool, args map[string]any) error {
	a.whole(t, args)
	raw, err := json.Marshal(args)
	if err != nil {
		return err
	}
	answer, err := a.answer(ctx, t, raw)
	if err != nil {
		return err
	}
	result, err := typed(t, answer.Structured)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(answer.Structured)
	} else {
		err = a.show(result, args, answer.Text)
	}
	switch {
	case waits(result):
		a.code = exitApproval
	case nothing(result):
		a.code = exitNothing
	}
	return err
}

// nothing reports whether a tool's result holds no results.
func nothing(result any) bool {
	v := reflect.Indirect(reflect.ValueOf(result))
	if v.Kind() != reflect.Struct {
		return false
	}
	f := v.FieldByName("Head")
	if !f.IsValid() {
		return false
	}
	head, ok := f.Interface().(readtools.Head)
	return ok && head.Total == 0
}
