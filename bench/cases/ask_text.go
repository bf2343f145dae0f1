package main

import (
	"fmt"
	"strings"
)

// grepFlags maps the neutral arguments of grep that are plain values to flags.
var grepFlags = map[string]string{
	"multiline": "multiline", "word": "word", "whole_word": "word", "invert": "invert", "context": "context", "before": "before",
	"after": "after", "language": "language", "hidden": "hidden", "include_ignored": "include-ignored", "smart_case": "smart-case",
	"output": "output", "limit": "limit", "max_results": "limit", "ignore_case": "ignore-case", "literal": "literal",
}

// grepModes maps `mode` to what is searched.
var grepModes = map[string]string{
	"text": "text", "config_key": "config", "config": "config", "symbols": "symbols", "symbol": "symbols",
	"references": "references", "reference": "references",
}

// askGrep runs the grep verb. A pattern is a regular expression unless regex is false, and
// case matters unless case_sensitive is false.
func (s *session) askGrep(args fields) *answer {
	flags, words := []string{}, []string{text(args["pattern"])}
	limited := truth(args["follow_all_pages"])
	for _, k := range args.keys() {
		v := args[k]
		flag := grepFlags[k]
		switch {
		case k == "pattern" || k == "follow_all_pages":
		case flag != "":
			flags = append(flags, "--"+flag+"="+text(v))
			limited = limited || flag == "limit"
		case k == "regex":
			if !truth(v) {
				flags = append(flags, "--literal")
			}
		case k == "case_sensitive":
			if !truth(v) {
				flags = append(flags, "--ignore-case")
			}
		case k == "mode" && grepModes[text(v)] != "":
			flags = append(flags, "--in="+grepModes[text(v)])
		case k == "path" || k == "paths":
			words = append(words, texts(v)...)
		case k == "glob" || k == "globs" || k == "include" || k == "exclude":
			name := map[bool]string{true: "--exclude=", false: "--glob="}[k == "exclude"]
			for _, g := range texts(v) {
				flags = append(flags, name+g)
			}
		default:
			return unknownArg(fmt.Sprintf("%s: %v", k, v))
		}
	}
	if grepModes[text(args["mode"])] == "config" && args["regex"] == nil {
		flags = append(flags, "--literal")
	}
	if !limited {
		flags = append(flags, everything...)
	}
	return (&answer{}).take(s.pages(call{verb: "grep", flags: flags, words: words}))
}

// askDiscover runs the discover verb.
func (s *session) askDiscover(args fields) *answer {
	var flags, words []string
	for _, k := range args.keys() {
		switch k {
		case "query":
			words = append(words, text(args[k]))
		case "path", "type", "language", "depth", "limit", "hidden", "include_ignored":
			flags = append(flags, "--"+strings.ReplaceAll(k, "_", "-")+"="+text(args[k]))
		case "glob", "globs", "pattern":
			for _, g := range texts(args[k]) {
				flags = append(flags, "--glob="+g)
			}
		default:
			return unknownArg(k)
		}
	}
	if args["limit"] == nil {
		flags = append(flags, everything...)
	}
	return (&answer{}).take(s.pages(call{verb: "discover", flags: flags, words: words}))
}

// openTarget is what the open verb is given for neutral arguments.
func openTarget(args fields) string {
	target := text(args["path"]) + text(args["file"])
	name := text(args["symbol"]) + text(args["name"])
	start, hasStart := number(args["start"])
	end, hasEnd := number(args["end"])
	switch {
	case target == "":
		return name
	case name != "":
		return target + "#" + name
	case hasStart && hasEnd:
		return fmt.Sprintf("%s:%d-%d", target, start, end)
	case hasStart:
		return fmt.Sprintf("%s:%d", target, start)
	case args["line"] != nil:
		return target + ":" + text(args["line"])
	case hasEnd:
		return fmt.Sprintf("%s:1-%d", target, end)
	}
	return target
}

// askOpen runs the open verb on one target and remembers the file's version.
func (s *session) askOpen(args fields) *answer {
	if k := args.stranger("path", "file", "symbol", "name", "start", "end", "line", "view", "context"); k != "" {
		return unknownArg(k)
	}
	flags := append([]string{}, everything...)
	for _, k := range []string{"view", "context"} {
		if args[k] != nil {
			flags = append(flags, "--"+k+"="+text(args[k]))
		}
	}
	a := (&answer{}).take(s.pages(call{verb: "open", flags: flags, words: []string{openTarget(args)}}))
	if len(a.doc.Items) > 0 {
		s.sha = a.doc.Items[0].SHA256
	}
	return a
}
