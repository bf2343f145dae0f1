package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// editVerbs maps the edit tools to verbs.
var editVerbs = map[string]string{
	"write_file": "write", "replace_block": "replace", "delete_path": "delete", "move_path": "move", "undo": "undo",
}

// versionArgs are the names under which a case may give the version it last saw.
var versionArgs = map[string]bool{"expect": true, "version": true, "expected_version": true, "if_version": true,
	"base_version": true, "sha256": true, "expected_sha256": true, "expected": true, "base": true}

// askEdit runs one edit verb with --yes and takes the files' state before and after.
func (s *session) askEdit(args fields, limit string) *answer {
	c, why := s.editCall(args)
	a := &answer{}
	if why != "" {
		a.faults = append(a.faults, why)
		return a
	}
	c.limit = limit
	var err error
	if a.before, err = takeSnapshot(s.copy); err == nil {
		a.take(s.invoke(c))
		s.editID = a.doc.EditID
		a.after, err = takeSnapshot(s.copy)
	}
	if err != nil {
		a.faults = append(a.faults, err.Error())
	}
	return a
}

// editCall maps the neutral arguments of an edit tool.
func (s *session) editCall(args fields) (call, string) {
	verb, ok := editVerbs[text(args["tool"])]
	if !ok {
		return call{}, "the runner does not know edit tool " + text(args["tool"])
	}
	c := call{verb: verb, flags: []string{"--yes"}}
	for _, k := range args.keys() {
		v := args[k]
		switch {
		case k == "tool":
		case k == "path" || k == "from":
			c.words = append([]string{text(v)}, c.words...)
		case k == "to":
			c.words = append(c.words, text(v))
		case k == "content":
			c.stdin = []byte(text(v))
		case k == "content_escaped":
			c.stdin = []byte(unescape(text(v)))
		case k == "content_from":
			out, err := s.shell(s.root, text(v))
			if err != nil {
				return c, err.Error()
			}
			c.stdin = out
		case k == "old" || k == "new" || k == "occurrence":
			c.flags = append(c.flags, "--"+k+"="+text(v))
		case k == "replace_all":
			if truth(v) {
				c.flags = append(c.flags, "--occurrence=all")
			}
		case k == "blocks" || k == "edits":
			data, err := json.Marshal(v)
			if err != nil {
				return c, fmt.Sprintf("blocks: %v", err)
			}
			c.flags = append(c.flags, "--blocks="+string(data))
		case k == "recursive" || k == "overwrite" || k == "dry_run" || k == "update_references":
			c.flags = append(c.flags, "--"+strings.ReplaceAll(k, "_", "-")+"="+text(v))
		case versionArgs[k]:
			c.flags = append(c.flags, "--expect="+text(v))
		case k == "edit_id":
			c.words = []string{text(v)}
		default:
			return c, "the runner does not know argument " + k
		}
	}
	if verb == "undo" && len(c.words) == 0 {
		c.words = []string{s.editID}
	}
	return c, ""
}
