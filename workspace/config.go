package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Config is what .codegraph.yaml at the root says.
type Config struct {
	Exclude     []string      // patterns as in .gitignore that take paths out
	Include     []string      // patterns that bring paths back; stronger than Exclude
	Languages   []string      // the only ones of which facts are made; empty means all
	MaxFileSize int64         // bytes of the largest file of which facts are made; 0 means the default
	Edits       string        // off, ask, host, or empty
	DaemonIdle  time.Duration // how long the daemon waits for work before it ends; 0 means the default
	MemoryLimit int64         // bytes of memory that the daemon may use; 0 means the default
}

// ErrConfig: the configuration file cannot be taken; the error names the line.
var ErrConfig = errors.New("the configuration is wrong")

// minMemory is the least memory with which a large index can be made.
const minMemory = 128 << 20

// maxConfig is the largest configuration file that is read.
const maxConfig = 1 << 20

// loadConfig reads the root's configuration; without a file it is empty.
func (w *Workspace) loadConfig() (*Config, error) {
	f, err := w.readFile(context.Background(), configName, nil, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return &Config{}, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := ParseConfig(f.Data, w.options.Language)
	if err != nil {
		return nil, fmt.Errorf("%w: %s:%w", ErrConfig, configName, err)
	}
	return c, nil
}

// ParseConfig reads the text of a .codegraph.yaml. Errors begin with the line. language
// tells the proper name of a language, "" if it is none; nil takes every name.
func ParseConfig(src []byte, language func(string) string) (*Config, error) {
	var doc yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(src)).Decode(&doc)
	c := &Config{}
	if errors.Is(err, io.EOF) {
		return c, nil
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "line "))
	}
	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.Tag == "!!null" {
		return c, nil
	}
	if top.Kind != yaml.MappingNode {
		return nil, at(top, "want keys with values, not %s", kindOf(top))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(top.Content); i += 2 {
		k, v := top.Content[i], top.Content[i+1]
		if seen[k.Value] {
			return nil, at(k, "key %q is there twice", k.Value)
		}
		seen[k.Value] = true
		if err := c.set(k, v, language); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Config) set(k, v *yaml.Node, language func(string) string) (err error) {
	switch k.Value {
	case "exclude":
		c.Exclude, err = stringList(k, v)
	case "include":
		c.Include, err = stringList(k, v)
	case "languages":
		if c.Languages, err = stringList(k, v); err == nil && language != nil {
			for i, name := range c.Languages {
				if c.Languages[i] = language(name); c.Languages[i] == "" {
					return at(v, "languages: %q is not known; see `codegraph version --json`", name)
				}
			}
		}
	case "max_file_size":
		c.MaxFileSize, err = size(k, v)
	case "edits":
		c.Edits = v.Value
		if v.Kind != yaml.ScalarNode || v.Value != "off" && v.Value != "ask" && v.Value != "host" {
			err = at(v, "edits: want off, ask or host, not %s", kindOf(v))
		}
	case "daemon_idle":
		if c.DaemonIdle, err = time.ParseDuration(v.Value); err != nil || c.DaemonIdle <= 0 {
			err = at(v, "daemon_idle: want a time such as 5m or 90s, not %s", kindOf(v))
		}
	case "memory_limit":
		if c.MemoryLimit, err = size(k, v); err == nil && c.MemoryLimit < minMemory {
			err = at(v, "memory_limit: want at least 128MiB, not %s", kindOf(v))
		}
	default:
		err = at(k, "unknown key %q; the keys are exclude, include, languages, max_file_size, edits, daemon_idle and memory_limit", k.Value)
	}
	return err
}

func stringList(k, v *yaml.Node) ([]string, error) {
	items := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		items = v.Content
	}
	var out []string
	for _, n := range items {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
			return nil, at(n, "%s: want a list of strings, not %s", k.Value, kindOf(n))
		}
		out = append(out, n.Value)
	}
	return out, nil
}

// size is a number of bytes: 4194304, 4MiB, 4MB, 512k.
func size(k, v *yaml.Node) (int64, error) {
	text := strings.ToLower(strings.TrimSpace(v.Value))
	number := strings.TrimRight(text, "bikmg ")
	n, err := strconv.ParseInt(number, 10, 64)
	shift := 0
	switch strings.Trim(text[len(number):], "ib ") {
	case "":
	case "k":
		shift = 10
	case "m":
		shift = 20
	case "g":
		shift = 30
	default:
		err = strconv.ErrSyntax
	}
	if v.Kind != yaml.ScalarNode || err != nil || n <= 0 || n > 1<<40>>shift {
		return 0, at(v, "%s: want a number of bytes such as 4194304 or 4MiB, not %s", k.Value, kindOf(v))
	}
	return n << shift, nil
}

func at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%d: "+format, append([]any{n.Line}, args...)...)
}

// kindOf describes a value in an error.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	return strconv.Quote(n.Value)
}
